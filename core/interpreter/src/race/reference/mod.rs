//! The memory model by its definitions, on the events of small programs: what the clocks are compared with.
//!
//! Each relation is computed from its sentence in the specification's appendix "Memory Model", over all pairs of events
//! of a trace. Programs have up to three invocations with up to four events each, and all interleavings are tried.

mod relations;

use proptest::prelude::*;

use super::*;
use relations::Relations;

/// What an invocation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Load(usize, Way),
    Store(usize, Way),
    Atomic { at: usize, reads: bool, writes: bool, semantics: Semantics },
    MemoryBarrier(Semantics),
    ControlBarrier(Semantics),
}

/// The classes of locations.
const LOCATIONS: [Class; 3] = [Class::Buffer, Class::Buffer, Class::Image];

/// Lanes of a wave.
const LANES: u32 = 2;

/// Where an invocation is: workgroup, wave, lane.
type Place = (u32, u32, u32);

#[derive(Debug, Clone)]
struct Program {
    agents: Vec<(Place, Vec<Event>)>,
}

/// Events that happen at once: those of a control barrier, else one. By invocation and index.
type Step = Vec<(usize, usize)>;

impl Program {
    fn event(&self, (agent, at): (usize, usize)) -> Event {
        self.agents[agent].1[at]
    }

    /// All traces in which workgroups run one after the other, up to a number.
    fn traces(&self, most: usize) -> Vec<Vec<Step>> {
        let mut out = Vec::new();
        self.extend(&mut vec![0; self.agents.len()], &mut Vec::new(), &mut out, most);
        out
    }

    fn extend(&self, next: &mut Vec<usize>, trace: &mut Vec<Step>, out: &mut Vec<Vec<Step>>, most: usize) {
        if out.len() >= most {
            return;
        }
        let runs = |agent: &usize| next[*agent] < self.agents[*agent].1.len();
        let running: Vec<usize> = (0..self.agents.len()).filter(runs).collect();
        let Some(group) = running.iter().map(|agent| self.agents[*agent].0.0).min() else {
            out.push(trace.clone());
            return;
        };
        let current: Vec<usize> = running.into_iter().filter(|agent| self.agents[*agent].0.0 == group).collect();
        let waits = |agent: &usize| matches!(self.event((*agent, next[*agent])), Event::ControlBarrier(_));
        let mut steps: Vec<Step> =
            current.iter().filter(|agent| !waits(agent)).map(|agent| vec![(*agent, next[*agent])]).collect();
        if steps.is_empty() {
            steps.push(current.iter().map(|agent| (*agent, next[*agent])).collect());
        }
        for step in steps {
            step.iter().for_each(|(agent, _)| next[*agent] += 1);
            trace.push(step.clone());
            self.extend(next, trace, out, most);
            trace.pop();
            step.iter().for_each(|(agent, _)| next[*agent] -= 1);
        }
    }
}

/// The invocations of the workgroups by wave and lane, where all have the same.
fn invocations(program: &Program) -> Vec<u32> {
    let of_group = |group: u32| {
        let mut places: Vec<(u32, u32)> = Vec::new();
        places.extend(program.agents.iter().filter(|(at, _)| at.0 == group).map(|((_, wave, lane), _)| (*wave, *lane)));
        places.sort_unstable();
        places
    };
    let first = of_group(0);
    if program.agents.iter().any(|(place, _)| of_group(place.0) != first) {
        return Vec::new();
    }
    let mut invocations = vec![u32::MAX; 2 * LANES as usize];
    for (number, (wave, lane)) in (0..).zip(first) {
        invocations[(wave * LANES + lane) as usize] = number;
    }
    invocations
}

/// Whether the clocks find a race in a trace. `apart`: without taking invocations for one that do the same.
fn detects(program: &Program, trace: &[Step], apart: bool) -> bool {
    let mut model = Model { is_vulkan: true, ..Model::default() };
    for (_, events) in &program.agents {
        for event in events {
            match event {
                Event::Load(_, way) | Event::Store(_, way) => model.accesses |= 1 << way.level & !1,
                Event::Atomic { semantics, .. } => model.atomics |= 1 << semantics.level,
                Event::MemoryBarrier(semantics) | Event::ControlBarrier(semantics) => {
                    model.barriers |= 1 << semantics.level & !1;
                }
            }
        }
    }
    let mut order = Order::new(LOCATIONS.len(), LANES, &model, invocations(program));
    order.agents.always_apart = apart;
    let mut shadows = Shadows::new(LOCATIONS.map(|_| 4), 1 << 20);
    let mut group = u32::MAX;
    let mut found = false;
    let mut next = 0;
    while let Some(step) = trace.get(next) {
        next += 1;
        let (place, _) = program.agents[step[0].0];
        if place.0 != group {
            group = place.0;
            order.begin(u64::from(group));
        }
        let agent = |of: usize| {
            let (_, wave, lane) = program.agents[of].0;
            wave * LANES + lane
        };
        let now = agent(step[0].0);
        let mut access = |order: &Order, at: usize, reads: bool, writes: bool, way: Way| {
            let span = Span { class: LOCATIONS[at], object: at, offset: 0, bytes: 4 };
            found |= shadows.record(order, span, 0, &Present { agent: now, reads, writes, way }).is_some();
        };
        match program.event(step[0]) {
            Event::Load(at, way) => access(&order, at, true, false, way),
            Event::Store(at, way) => {
                access(&order, at, false, true, way);
                order.plain_write(at, 0);
            }
            Event::Atomic { at, reads, writes, semantics } => {
                let class = LOCATIONS[at];
                let atomic = AtomicUse { class, object: at, offset: 0, bytes: 4, reads, writes, semantics };
                order.atomic(now, &atomic, |order| access(order, at, reads, writes, Way::atomic(semantics.level)));
            }
            Event::MemoryBarrier(semantics) => {
                // Lanes of a wave that come to it one after the other do so together.
                let mut mask = 1u64 << place.2;
                while let Some(other) = trace.get(next) {
                    let (at, _) = program.agents[other[0].0];
                    let is_same = program.event(other[0]) == Event::MemoryBarrier(semantics);
                    if !is_same || (at.0, at.1) != (place.0, place.1) || mask >> at.2 & 1 == 1 {
                        break;
                    }
                    mask |= 1 << at.2;
                    next += 1;
                }
                order.memory_barrier(place.1, mask, &semantics);
            }
            Event::ControlBarrier(_) => {
                let mut reached: Vec<Reached> = Vec::new();
                for at in step {
                    let ((_, wave, lane), _) = program.agents[at.0];
                    let Event::ControlBarrier(semantics) = program.event(*at) else { continue };
                    let own = reached.iter_mut().find(|one| one.wave == wave && one.semantics == semantics);
                    match own {
                        Some(own) => own.mask |= 1 << lane,
                        None => reached.push(Reached { wave, mask: 1 << lane, semantics }),
                    }
                }
                reached.sort_by_key(|one| one.wave);
                order.control_barrier(&reached, true);
            }
        }
    }
    found
}

/// Compares both on all interleavings. Returns how many have a race.
fn compare(program: &Program) -> Result<(usize, usize), TestCaseError> {
    let traces = program.traces(120);
    let mut races = 0;
    for trace in &traces {
        let expected = Relations::of(program, trace).race();
        for apart in [false, true] {
            let found = detects(program, trace, apart);
            prop_assert_eq!(found, expected, "apart: {}, {:#?} of {:#?}", apart, trace, program);
        }
        races += usize::from(expected);
    }
    Ok((races, traces.len()))
}

fn any_semantics() -> impl Strategy<Value = Semantics> {
    let levels = SUBGROUP..=DEVICE;
    let kinds = prop_oneof![
        Just((true, true)),
        Just((true, true)),
        Just((true, false)),
        Just((false, true)),
        Just((false, false))
    ];
    let (buffer, image) = (1 << Class::Buffer as u8, 1 << Class::Image as u8);
    let classes = prop_oneof![4 => Just(buffer), 1 => Just(image), 3 => Just(buffer | image)];
    (levels, kinds, any::<[bool; 2]>(), classes).prop_map(
        |(level, (acquire, release), [available, visible], classes)| Semantics {
            level,
            acquire,
            release,
            available: available && release,
            visible: visible && acquire,
            classes: if acquire || release { classes } else { 0 },
        },
    )
}

fn any_way() -> impl Strategy<Value = Way> {
    prop_oneof![1 => Just(Way::private()), 8 => (INVOCATION..=DEVICE).prop_map(Way::shared)]
}

fn any_event() -> impl Strategy<Value = Event> {
    let atomic = (0..LOCATIONS.len(), 0..3usize, any_semantics()).prop_map(|(at, kind, semantics)| {
        let (reads, writes) = [(true, false), (false, true), (true, true)][kind];
        let (acquire, release) = (semantics.acquire && reads, semantics.release && writes);
        let (available, visible) = (semantics.available && release, semantics.visible && acquire);
        let semantics = Semantics { acquire, release, available, visible, ..semantics };
        Event::Atomic { at, reads, writes, semantics }
    });
    prop_oneof![
        3 => (0..2usize, any_way()).prop_map(|(at, way)| Event::Load(at, way)),
        3 => (0..2usize, any_way()).prop_map(|(at, way)| Event::Store(at, way)),
        4 => atomic,
        2 => any_semantics().prop_map(Event::MemoryBarrier),
        2 => any_semantics().prop_map(Event::ControlBarrier),
    ]
}

fn any_program() -> impl Strategy<Value = Program> {
    let places = prop_oneof![
        Just(vec![(0, 0, 0), (0, 0, 1)]),
        Just(vec![(0, 0, 0), (0, 1, 0)]),
        Just(vec![(0, 0, 0), (1, 0, 0)]),
        Just(vec![(0, 0, 0), (0, 0, 1), (0, 1, 0)]),
        Just(vec![(0, 0, 0), (0, 1, 0), (1, 0, 0)]),
        Just(vec![(0, 0, 0), (1, 0, 0), (1, 1, 1)]),
        Just(vec![(0, 0, 0), (1, 0, 0), (2, 0, 0)]),
        Just(vec![(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)]),
    ];
    (places, prop::collection::vec(prop::collection::vec(any_event(), 1..=4), 4))
        .prop_map(|(places, events)| Program { agents: same_barriers(places.into_iter().zip(events).collect()) })
}

/// Programs of one shader: invocations do the same, with some things left out by each of them.
fn any_shader() -> impl Strategy<Value = Program> {
    let places = prop_oneof![
        Just(vec![(0, 0, 0), (0, 0, 1)]),
        Just(vec![(0, 0, 0), (0, 0, 1), (0, 1, 0)]),
        Just(vec![(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)]),
        Just(vec![(0, 0, 0), (1, 0, 0), (2, 0, 0)]),
    ];
    let events = prop::collection::vec(any_event(), 2..=5);
    (places, events, prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.8), 5), 4)).prop_map(
        |(places, events, kept)| {
            let own = |kept: &Vec<bool>| {
                let is_kept = |(event, kept): &(&Event, &bool)| **kept || matches!(event, Event::ControlBarrier(_));
                events.iter().zip(kept).filter(is_kept).map(|(event, _)| *event).collect()
            };
            Program { agents: places.into_iter().zip(&kept).map(|(place, kept)| (place, own(kept))).collect() }
        },
    )
}

/// Gives control barriers that invocations of a workgroup reach together the same semantics: they are one instruction.
fn same_barriers(mut agents: Vec<(Place, Vec<Event>)>) -> Vec<(Place, Vec<Event>)> {
    let mut known: Vec<((u32, usize), Event)> = Vec::new();
    for (place, events) in &mut agents {
        let barriers = events.iter_mut().filter(|event| matches!(event, Event::ControlBarrier(_)));
        for (number, event) in barriers.enumerate() {
            let key = (place.0, number);
            match known.iter().find(|(other, _)| *other == key) {
                Some((_, first)) => *event = *first,
                None => known.push((key, *event)),
            }
        }
    }
    agents
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clocks_agree_with_the_definitions(program in any_program()) {
        compare(&program)?;
    }

    #[test]
    fn clocks_of_invocations_that_do_the_same_agree_with_the_definitions(program in any_shader()) {
        compare(&program)?;
    }
}

/// Programs that synchronize: a store, a release, and in another invocation an acquire and an access. Random programs
/// seldom do.
fn handover(places: [Place; 2], release: Vec<Event>, acquire: Vec<Event>, way: Way) -> Program {
    let mut first = vec![Event::Store(0, way)];
    first.extend(release);
    let mut second = acquire;
    second.push(Event::Load(0, way));
    Program { agents: vec![(places[0], first), (places[1], second)] }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn handovers_agree_with_the_definitions(
        at in 0..3usize,
        release in any_semantics(),
        acquire in any_semantics(),
        atomics in (any_semantics(), any_semantics()),
        kind in 0..5,
        way in any_way(),
    ) {
        let places = [[(0, 0, 0), (0, 0, 1)], [(0, 0, 0), (0, 1, 0)], [(0, 0, 0), (1, 0, 0)]][at];
        let write = |semantics: Semantics| {
            let semantics = Semantics { acquire: false, visible: false, ..semantics };
            Event::Atomic { at: 1, reads: false, writes: true, semantics }
        };
        let read = |semantics: Semantics| {
            let semantics = Semantics { release: false, available: false, ..semantics };
            Event::Atomic { at: 1, reads: true, writes: false, semantics }
        };
        let (first, second) = match kind {
            0 => (vec![Event::ControlBarrier(release)], vec![Event::ControlBarrier(acquire)]),
            1 => (vec![Event::MemoryBarrier(release), write(atomics.0)], vec![read(atomics.1), Event::MemoryBarrier(acquire)]),
            2 => (vec![write(atomics.0)], vec![read(atomics.1)]),
            3 => (vec![Event::MemoryBarrier(release), write(atomics.0)], vec![read(atomics.1)]),
            _ => (vec![write(atomics.0)], vec![read(atomics.1), Event::MemoryBarrier(acquire)]),
        };
        compare(&handover(places, first, second, way))?;
    }
}

/// The comparison is worth something: both verdicts are frequent.
#[test]
fn handovers_with_and_without_a_race_are_compared() {
    let semantics = Semantics::of(2, 0x6048);
    let control = |semantics| vec![Event::ControlBarrier(semantics)];
    let places = [(0, 0, 0), (0, 1, 0)];
    let way = Way::shared(INVOCATION);
    let ordered = compare(&handover(places, control(semantics), control(semantics), way)).expect("they agree");
    assert_eq!(ordered, (0, 1));
    for (semantics, way) in [
        (Semantics::of(3, 0x6048), way),
        (Semantics::of(2, 0x2048), way),
        (Semantics::of(2, 0x4048), way),
        (Semantics::of(2, 0x2044), way),
        (Semantics::of(2, 0x4042), way),
        (Semantics::of(2, 0x6108), way),
        (Semantics::of(2, 0x6048), Way::private()),
    ] {
        let racy = compare(&handover(places, control(semantics), control(semantics), way)).expect("they agree");
        assert_eq!(racy, (1, 1), "{semantics:?} {way:?}");
    }
}
