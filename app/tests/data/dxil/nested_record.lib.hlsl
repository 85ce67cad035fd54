// dxc -T lib_6_8: the record of a node has a structure and arrays in it.
struct Span { float from; float to[2]; };
struct Job { uint target; Span spans[2]; Span last; };
RWStructuredBuffer<float> sums : register(u0);

[Shader("node")][NodeLaunch("thread")][NodeIsProgramEntry]
void Start([MaxRecords(1)] NodeOutput<Job> Sum) {
    ThreadNodeOutputRecords<Job> job = Sum.GetThreadNodeOutputRecords(1);
    job.Get().target = 1;
    job.Get().spans[0].from = 1;
    job.Get().spans[1].to[1] = 2;
    job.Get().last.to[0] = 4;
    job.OutputComplete();
}

float Length(Span span) { return span.to[0] + span.to[1] - span.from; }

[Shader("node")][NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<Job> job) {
    sums[job.Get().target] = Length(job.Get().last) + Length(job.Get().spans[1]);
}
