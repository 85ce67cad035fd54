//! Messages that are shown for a while, or until they are dismissed.

/// The most messages shown at a time: the newest. Errors that newer ones cover are shown again once those are gone.
pub const MOST: usize = 4;

/// Messages that are shown, or will be.
#[derive(Debug, Default)]
pub struct Messages {
    kept: Vec<Message>,
    next: u64,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its number.
    pub number: u64,
    /// The text.
    pub text: String,
    /// Errors stay until they are dismissed.
    pub error: bool,
}

impl Messages {
    /// Adds a message that may be missed.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Adds a message that must be read: it stays until it is dismissed.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(text.into(), true);
    }

    /// Removes a message.
    pub fn dismiss(&mut self, number: u64) {
        self.kept.retain(|message| message.number != number);
    }

    /// All messages, the oldest first.
    pub fn all(&self) -> &[Message] {
        &self.kept
    }

    /// Texts of the newest messages.
    #[cfg(any(test, feature = "testing"))]
    pub fn texts(&self) -> Vec<&str> {
        let newest = self.kept.iter().skip(self.kept.len().saturating_sub(MOST));
        newest.map(|message| message.text.as_str()).collect()
    }

    fn push(&mut self, text: String, error: bool) {
        // The same again only stays longer.
        self.kept.retain(|message| message.text != text);
        self.next += 1;
        self.kept.push(Message { number: self.next, text, error });
        // What may be missed is not shown later.
        let covered = self.kept.len().saturating_sub(MOST);
        let mut index = 0..;
        self.kept.retain(|message| index.next() >= Some(covered) || message.error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_messages_and_shows_each_once() {
        let mut messages = Messages::default();
        for i in 0..10 {
            messages.info(format!("{}", i % 5));
        }
        assert_eq!(messages.texts(), ["1", "2", "3", "4"]);
        messages.error("2");
        assert_eq!(messages.texts(), ["1", "3", "4", "2"]);
    }

    #[test]
    fn errors_stay_until_dismissed() {
        let mut messages = Messages::default();
        messages.error("lost");
        for text in ["a", "b", "c", "d", "e"] {
            messages.info(text);
        }
        assert_eq!(messages.texts(), ["b", "c", "d", "e"]);
        let covering: Vec<_> = messages.all().iter().filter(|message| !message.error).cloned().collect();
        covering.iter().for_each(|message| messages.dismiss(message.number));
        assert_eq!(messages.texts(), ["lost"], "it is shown again");
        messages.dismiss(1);
        assert!(messages.all().is_empty());
    }
}
