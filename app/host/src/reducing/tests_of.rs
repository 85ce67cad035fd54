//! The tests of a condition, asked of one try.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lanescope_core::driver::assignment::{AssignedBy, SlotAssignment, assignments};
use lanescope_core::driver::{Compilation, Compilations, DriverSections, DriverStage, Version};
use lanescope_core::gpu::DeviceOptions;
use lanescope_core::program::Program;
use lanescope_core::reduce::condition::{Compares, Pattern, Test, Than};
use lanescope_core::run::compare;
use lanescope_core::text_format::counted;
use rustix::process::{Pid, Signal, kill_process_group};

use super::compilers::{Ended, without_numbers};
use super::examiner::{Examiner, NotLoaded, SlotOrder, Try};

/// What a compiler made of one pipeline.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    /// Which version of the program.
    pub of: Version,
    /// The pipeline, where the version is one.
    pub program: Option<Program>,
    /// What came back.
    pub result: Result<Compilation, Ended>,
}

/// An answer, if any, and what was seen.
type Answer = (Option<bool>, String);

/// How often a time is taken.
const TIMES: usize = 3;

impl Examiner<'_> {
    /// Asks one test.
    pub fn ask(&mut self, test: &Test, tried: &mut Try) -> Answer {
        if let Some(not_loaded) = &tried.not_loaded
            && !matches!(test, Test::Exec(_))
        {
            return self.of_loading(test, not_loaded);
        }
        match test {
            Test::SlotsDiffer { on } => self.slots_differ(on.as_deref(), tried),
            Test::PlacesDiffer { on } => self.places_differ(on.as_deref(), tried),
            Test::ResultsDiffer { on, from } => self.results(on.as_deref(), from.as_deref(), tried),
            Test::Crashes { on } => self.ended(on.as_deref(), tried, |ended| ended.died),
            Test::Fails { on } => self.ended(on.as_deref(), tried, |ended| !ended.died),
            Test::Time { than, on } => self.time(*than, on.as_deref(), tried),
            Test::Statistic { name, compares, value, on } => {
                self.statistic((name, *compares, *value), on.as_deref(), tried)
            }
            Test::Finding { code, pattern } => self.finding(code, pattern.as_ref(), tried),
            Test::ValidatorRejects(pattern) => self.rejected(pattern.as_ref(), tried),
            Test::Text { pattern, on } => self.text(pattern, on.as_deref(), tried),
            Test::Exec(program) => self.exec(program, tried),
        }
    }

    /// Asks one test of sources that are no program.
    fn of_loading(&self, test: &Test, not_loaded: &NotLoaded) -> Answer {
        let NotLoaded { ended, is_invalid } = not_loaded;
        let how = &ended.message;
        let is_known = || self.baseline.is_none_or(|baseline| baseline.ended.iter().any(|known| known.is_like(ended)));
        let holds = match test {
            Test::Crashes { on: None } => Some(ended.died && is_known()),
            Test::Fails { on: None } => Some(!ended.died && is_known()),
            Test::ValidatorRejects(pattern) => {
                Some(*is_invalid && pattern.as_ref().is_none_or(|pattern| pattern.is_match(how)))
            }
            Test::Text { pattern, on: None } => Some(pattern.is_match(how)),
            _ => None,
        };
        (holds, how.clone())
    }

    /// The indices of the compilers that a test means.
    fn meant(&self, on: Option<&str>) -> Vec<usize> {
        (0..self.compilers.len()).filter(|&at| self.compilers[at].is_meant(on)).collect()
    }

    /// How compilers ended, if as at the start.
    fn ended(&mut self, on: Option<&str>, tried: &mut Try, is_it: fn(&Ended) -> bool) -> Answer {
        let known: Option<Vec<Ended>> = self.baseline.map(|baseline| baseline.ended.clone());
        let mut seen = Vec::new();
        let mut holds = false;
        for at in self.meant(on) {
            let name = self.compilers[at].name();
            for one in self.compile(at, tried) {
                match &one.result {
                    Err(ended) => {
                        let is_known = |known: &Vec<Ended>| known.iter().any(|known| known.is_like(ended));
                        holds |= is_it(ended) && known.as_ref().is_none_or(is_known);
                        seen.push(format!("{name} ({}): {}", one.of, ended.message));
                    }
                    Ok(_) => seen.push(format!("{name} ({}) compiles it", one.of)),
                }
            }
        }
        (Some(holds), seen.join("; "))
    }

    fn statistic(
        &mut self,
        (name, compares, value): (&str, Compares, f64),
        on: Option<&str>,
        tried: &mut Try,
    ) -> Answer {
        let mut seen = Vec::new();
        let (mut holds, mut known) = (false, false);
        for at in self.meant(on) {
            let place = self.compilers[at].name();
            let compilations = self.compile(at, tried).iter().filter_map(|one| one.result.as_ref().ok());
            for row in DriverStage::rows(compilations) {
                let own = row.statistics.iter().filter(|statistic| statistic.name.eq_ignore_ascii_case(name));
                let common = row.common.iter().filter(|common| common.measure.to_string().eq_ignore_ascii_case(name));
                let numbers = own.map(|own| own.value.number()).chain(common.map(|common| common.value.number()));
                if let Some(number) = numbers.into_iter().next() {
                    known = true;
                    holds |= compares.holds(number, value);
                    seen.push(format!("{number} ({place}, {} {})", row.of, row.stage));
                }
            }
        }
        let line = if known { seen.join(", ") } else { "no compiler has this statistic".to_owned() };
        (known.then_some(holds), line)
    }

    fn text(&mut self, pattern: &Pattern, on: Option<&str>, tried: &mut Try) -> Answer {
        let (mut found, mut refused) = (None, None);
        for at in self.meant(on) {
            let name = self.compilers[at].name();
            for one in self.compile(at, tried) {
                let texts: Vec<&str> = match &one.result {
                    Ok(compilation) => {
                        let texts = compilation.executables().flat_map(|executable| &executable.texts);
                        texts.map(|text| text.text.as_str()).collect()
                    }
                    Err(ended) => vec![&ended.message],
                };
                let first = texts.iter().find_map(|text| pattern.find(text));
                found = found.or(first.map(|part| format!("`{}` ({name}, {})", part.trim(), one.of)));
                let message = one.result.as_ref().err().map(|ended| format!("{name} ({}): {}", one.of, ended.message));
                refused = refused.or(message);
            }
        }
        match (found, refused) {
            (Some(found), _) => (Some(true), found),
            // What was not compiled has no text that could be without it.
            (None, Some(refused)) => (None, refused),
            (None, None) => (Some(false), "no text matches".to_owned()),
        }
    }

    /// Compares two compilations' times, or one with a limit: the least of several.
    fn time(&mut self, than: Than, on: Option<&str>, tried: &mut Try) -> Answer {
        let mut least: Vec<(String, u64)> = Vec::new();
        for _ in 0..TIMES {
            let mut at_index = 0;
            for at in self.meant(on) {
                let name = self.compilers[at].name();
                tried.compiled.remove(&at);
                for one in self.compile(at, tried) {
                    let Ok(compilation) = &one.result else {
                        return (None, format!("{name} ({}) does not compile it", one.of));
                    };
                    let time: u64 = compilation.pipelines.iter().map(|pipeline| pipeline.nanoseconds).sum();
                    match least.get_mut(at_index) {
                        Some((_, known)) => *known = time.min(*known),
                        None => least.push((format!("{name} ({})", one.of), time)),
                    }
                    at_index += 1;
                }
            }
        }
        let ms = |time: u64| time as f64 / 1e6;
        let seen: Vec<String> = least.iter().map(|(name, time)| format!("{:.2} ms ({name})", ms(*time))).collect();
        let holds = match (than, &least[..]) {
            (Than::Time(limit), all) => Some(all.iter().any(|(_, time)| u128::from(*time) > limit.as_nanos())),
            (Than::Times(times), [first, second, ..]) => Some(first.1 as f64 > times * second.1 as f64),
            _ => None,
        };
        (holds, seen.join(", "))
    }

    fn finding(&mut self, code: &str, pattern: Option<&Pattern>, tried: &mut Try) -> Answer {
        let of_run = code.starts_with('E');
        let mut found: Vec<String> = Vec::new();
        if of_run {
            let interpreter = self.interpreter();
            match self.execution(&interpreter, tried) {
                Ok(execution) => found.extend(messages(&execution.run.findings, code)),
                Err(ended) => return (None, ended.message.clone()),
            }
        } else {
            found.extend(self.report(tried).into_iter().flat_map(|report| messages(&report.findings, code)));
            if found.is_empty() && !self.compilers.is_empty() {
                let sections = self.sections(None, tried);
                found.extend(sections.into_iter().flat_map(|sections| messages(&sections.findings, code)));
                let failed = tried.compiled.values().flatten().find_map(|one| one.result.as_ref().err());
                // What a compiler would have said of a program that it did not compile is not known.
                if let Some(failed) = failed.filter(|_| found.is_empty()) {
                    return (None, failed.message.clone());
                }
            }
        }
        let of_code = found.first().cloned();
        let is_meant = |message: &String| pattern.is_none_or(|pattern| pattern.is_match(message));
        let meant = found.into_iter().find(is_meant);
        (Some(meant.is_some()), meant.or(of_code).unwrap_or_else(|| self.not_found(of_run)))
    }

    /// What was looked through for a finding that is not there.
    fn not_found(&self, of_run: bool) -> String {
        let place = match () {
            () if of_run => "of the run in the interpreter",
            () if self.compilers.is_empty() => "of the report, and no compiler was asked",
            () => "of the report and the compilers",
        };
        format!("no such finding {place}")
    }

    fn rejected(&mut self, pattern: Option<&Pattern>, tried: &Try) -> Answer {
        let messages = (0..tried.program.modules.len()).filter_map(|module| self.invalid(tried, module));
        let messages: Vec<String> = messages.collect();
        // Without a pattern it is the message of the start.
        let known = self.baseline.map(|baseline| baseline.rejections.as_slice());
        let is_known = |message: &String| {
            known.is_none_or(|known| known.iter().any(|known| without_numbers(known) == without_numbers(message)))
        };
        let meant = messages.iter().find(|message| match pattern {
            Some(pattern) => pattern.is_match(message),
            None => is_known(message),
        });
        let seen = meant.or(messages.first()).cloned().unwrap_or_else(|| "every module is valid".to_owned());
        (Some(meant.is_some()), seen)
    }

    /// The sections of compilers, with the stages linked both ways.
    fn sections(&mut self, on: Option<&str>, tried: &mut Try) -> Option<DriverSections> {
        let mut beside = Vec::new();
        for at in self.meant(on) {
            self.compile(at, tried);
            let options = self.given.options.clone();
            let of_compiler = tried.compiled.get(&at).map(Vec::as_slice).unwrap_or_default();
            for one in of_compiler.iter().filter(|one| one.result.as_ref().is_ok_and(Compilation::passes_varyings)) {
                let program = one.program.as_ref();
                beside.extend(program.and_then(|program| self.compilers[at].beside(program, one.of, &options)));
            }
        }
        self.report(tried)?;
        let meant = self.meant(on);
        let compiled = tried.compiled.iter().filter(|(at, _)| meant.contains(at)).flat_map(|(_, all)| all);
        let compiled: Vec<&Compilation> = compiled.filter_map(|one| one.result.as_ref().ok()).collect();
        let from = Compilations {
            compiled: compiled.into_iter().map(|compilation| (compilation, false)).collect(),
            beside: beside.iter().collect(),
            traced: Vec::new(),
            failures: Vec::new(),
        };
        Some(DriverSections::of(&tried.program, tried.report.as_ref()?, &from))
    }

    /// The assignments of a try's slots but for the program's own; an error if there are none.
    fn assigned(&mut self, on: Option<&str>, tried: &mut Try) -> Result<(Vec<SlotAssignment>, String), String> {
        let sections = self.sections(on, tried).ok_or("no report")?;
        let packing = tried.report.as_ref().and_then(|report| report.packing.as_ref());
        let packing = packing.ok_or("the program has no interface that is packed")?;
        let mut all = assignments(packing, &sections.layouts);
        all.retain(|one| one.by != AssignedBy::Program);
        let seen: Vec<String> = all.iter().map(|one| format!("{}: {}", one.title(packing), one.facts())).collect();
        Ok((all, seen.join("; ")))
    }

    /// Which of two assignments reads more slots: for the start.
    pub fn orders(&mut self, tried: &mut Try) -> BTreeSet<SlotOrder> {
        let asks = |test: &&Test| matches!(test, Test::SlotsDiffer { .. });
        if tried.not_loaded.is_some() || !self.given.condition.tests().iter().any(asks) {
            return BTreeSet::new();
        }
        self.assigned(None, tried).map(|(all, _)| orders(&all)).unwrap_or_default()
    }

    fn slots_differ(&mut self, on: Option<&str>, tried: &mut Try) -> Answer {
        let (all, seen) = match self.assigned(on, tried) {
            Ok(assigned) => assigned,
            Err(why) => return (None, why),
        };
        if all.len() < 2 || all.iter().any(|one| one.slots.at_least) {
            return (None, seen);
        }
        // The same one reads more as at the start.
        let known = self.baseline.map(|baseline| &baseline.orders);
        let found = orders(&all);
        let differs = |order: &&SlotOrder| order.2.is_ne() && known.is_none_or(|known| known.contains(*order));
        (Some(found.iter().any(|order| differs(&order))), seen)
    }

    fn places_differ(&mut self, on: Option<&str>, tried: &mut Try) -> Answer {
        let (all, seen) = match self.assigned(on, tried) {
            Ok(assigned) => assigned,
            Err(why) => return (None, why),
        };
        let pairs = all.iter().enumerate().flat_map(|(at, one)| all[at + 1..].iter().map(move |other| (one, other)));
        let answers: Vec<Option<bool>> = pairs.map(|(one, other)| places_differ(one, other)).collect();
        let holds = match () {
            () if answers.contains(&Some(true)) => Some(true),
            () if answers.is_empty() || answers.contains(&None) => None,
            () => Some(false),
        };
        (holds, seen)
    }

    fn results(&mut self, on: Option<&str>, from: Option<&str>, tried: &mut Try) -> Answer {
        let device = |name: Option<&str>| match name {
            Some(name) => DeviceOptions { device: Some(name.to_owned()), ..self.given.device.clone() },
            None => self.given.device.clone(),
        };
        let first = device(on);
        let Some(from) = from else {
            let ran = match self.run(&first, true, tried) {
                Ok(ran) => ran,
                Err(ended) => return (None, ended.message),
            };
            let run = &ran.execution.run;
            return match &run.compare {
                Some(compare) => (Some(run.differs()), explained(compare, run.order_dependent.first())),
                None => (Some(false), run.not_rewritten.clone().unwrap_or_else(|| "nothing is rewritten".to_owned())),
            };
        };
        let second = device(Some(from));
        let (one, other) = (self.execution(&first, tried).clone(), self.execution(&second, tried).clone());
        match (one, other) {
            (Ok(one), Ok(other)) => {
                let compared = compare(&one, &other);
                let order = one.run.order_dependent.first();
                (Some(order.is_none() && !compared.equal), explained(&compared, order))
            }
            (Err(ended), _) | (_, Err(ended)) => (None, ended.message),
        }
    }

    /// Runs a program on the modules' files.
    fn exec(&mut self, program: &str, tried: &Try) -> Answer {
        let run = || -> std::io::Result<Option<std::process::ExitStatus>> {
            let folder = tempfile::tempdir()?;
            let mut files = Vec::new();
            for (name, bytes) in &tried.files {
                let path = folder.path().join(name);
                std::fs::write(&path, bytes)?;
                files.push(path);
            }
            let path = std::path::Path::new(program);
            // The folder of the command is not that of the files.
            let program = if path.components().count() > 1 { std::path::absolute(path)? } else { path.to_owned() };
            let mut child = Command::new(program)
                .args(&files)
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()?;
            let end = Instant::now() + self.given.limits.time;
            loop {
                if let Some(status) = child.try_wait()? {
                    return Ok(Some(status));
                }
                if Instant::now() > end || self.given.stop.is_stopped() {
                    // With what it started. One that has ended by now is what was wanted.
                    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
                    child.wait()?;
                    return Ok(None);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        match run() {
            Ok(Some(status)) => (Some(status.success()), status.to_string()),
            Ok(None) if self.given.stop.is_stopped() => (None, "stopped".to_owned()),
            Ok(None) => (None, format!("took longer than {} s", self.given.limits.time.as_secs_f64())),
            Err(error) => (None, format!("{program}: {error}")),
        }
    }
}

fn messages(findings: &[lanescope_core::findings::Finding], code: &str) -> Vec<String> {
    findings.iter().filter(|finding| finding.code == code).map(|finding| finding.message.clone()).collect()
}

/// The differences, with why they do not count where the order of invocations explains them.
pub(crate) fn explained(compare: &lanescope_core::run::Compare, order: Option<&String>) -> String {
    let differences = differences(compare);
    match order.filter(|_| !compare.equal) {
        Some(why) => format!("{differences}, which does not count: {why}"),
        None => differences,
    }
}

fn differences(compare: &lanescope_core::run::Compare) -> String {
    let unlike = compare.outputs.iter().filter(|output| !output.is_equal());
    let each = unlike.map(|output| match output.unlike {
        Some(unlike) => format!("{} {}", output.name, unlike.sentence()),
        None => format!("{} differs in {}", output.name, counted(output.differing, "place")),
    });
    let all: Vec<String> = each.collect();
    if all.is_empty() { "all outputs are equal".to_owned() } else { all.join(", ") }
}

/// The assignments two by two, by their owners' names: which of them reads more slots.
fn orders(all: &[SlotAssignment]) -> BTreeSet<SlotOrder> {
    let names = |one: &SlotAssignment| match &one.by {
        AssignedBy::Compilers { names, link } => names.iter().map(|name| format!("{name} {link}")).collect(),
        _ => vec!["model".to_owned()],
    };
    let named: Vec<(String, u32)> =
        all.iter().flat_map(|one| names(one).into_iter().map(|name| (name, one.slots.read))).collect();
    let mut out = BTreeSet::new();
    for (at, (name, slots)) in named.iter().enumerate() {
        for (other, others) in &named[at + 1..] {
            out.insert((name.clone(), other.clone(), slots.cmp(others)));
        }
    }
    out
}

/// Whether a scalar that both place has another place.
fn places_differ(one: &SlotAssignment, other: &SlotAssignment) -> Option<bool> {
    let places = |of: &SlotAssignment| -> std::collections::BTreeMap<usize, Vec<_>> {
        let mut out: std::collections::BTreeMap<usize, Vec<_>> = std::collections::BTreeMap::new();
        for (channel, carried) in &of.channels {
            carried.iter().for_each(|carried| out.entry(carried.scalar).or_default().push(*channel));
        }
        out
    };
    let (one, other) = (places(one), places(other));
    let mut both = one.iter().filter_map(|(scalar, place)| Some((place, other.get(scalar)?))).peekable();
    both.peek()?;
    Some(both.any(|(place, other)| place != other))
}
