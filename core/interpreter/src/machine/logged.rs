//! The log of a machine's accesses, and a run of some of the workgroups.

use super::Machine;
use crate::access_log::{AccessLog, LoggedAccess, LoggedObject};

impl Machine {
    /// Logs accesses to memory from now on, at most `most` rows until they are taken.
    pub fn log_accesses(&mut self, most: usize) {
        self.state.memory.log = Some(AccessLog { rows: Vec::new(), most, full: false });
    }

    /// Takes the accesses since the last time into `out`, which is emptied first. False where there were more than are
    /// kept: those are missing.
    pub fn take_accesses(&mut self, out: &mut Vec<LoggedAccess>) -> bool {
        out.clear();
        let Some(log) = &mut self.state.memory.log else { return true };
        std::mem::swap(&mut log.rows, out);
        !std::mem::take(&mut log.full)
    }

    /// What an object is; absent where there is none of that number.
    pub fn logged_object(&self, object: u32) -> Option<LoggedObject> {
        let found = self.state.memory.objects.get(object as usize)?;
        let images = &self.setup.images;
        let image = images.binary_search_by_key(&object, |image| image.object).ok().and_then(|at| images.get(at));
        let image = image.and_then(|image| image.image.as_ref()).map(|(image, _)| image.clone());
        Some(LoggedObject { address: found.address(0), bytes: found.bytes().len() as u64, image })
    }

    /// Goes on with a later workgroup than the one that runs, which has not begun: those in between do not run. False,
    /// and nothing changes, where the dispatch has no such later workgroup, or where one is stepped.
    pub fn skip_to_group(&mut self, index: u64) -> bool {
        let Some(done) = index.checked_sub(self.setup.first) else { return false };
        if self.focus.is_some() || done < self.state.done || done >= self.setup.groups {
            return false;
        }
        self.state.done = done;
        self.start_group();
        true
    }
}
