//! A condition on the change of a total, which decides an exit status: `VGPRs>+1%`.

use std::fmt;
use std::str::FromStr;

use super::compare::Total;

/// A condition: the total of a statistic rises or falls by more than an amount.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// The statistic.
    pub name: String,
    /// It holds for a change above the amount, else for one below.
    above: bool,
    /// The amount, with its sign.
    amount: f64,
    /// The amount is a part of the total before, from 0 to 100.
    percent: bool,
}

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid threshold `{0}`: expected STATISTIC>AMOUNT or STATISTIC<AMOUNT, such as VGPRs>+1% or Waves<-10")]
pub struct ThresholdError(String);

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(text: &str) -> Result<Threshold, ThresholdError> {
        let wrong = || ThresholdError(text.to_owned());
        let at = text.rfind(['>', '<']).ok_or_else(wrong)?;
        let (name, rest) = text.split_at(at);
        let above = rest.starts_with('>');
        let amount = rest.get(1..).unwrap_or_default().trim();
        let (number, percent) = amount.strip_suffix('%').map_or((amount, false), |number| (number, true));
        let amount: f64 = number.trim().parse().map_err(|_| wrong())?;
        let name = name.trim().to_owned();
        if name.is_empty() || !amount.is_finite() {
            Err(wrong())
        } else {
            Ok(Threshold { name, above, amount, percent })
        }
    }
}

impl Threshold {
    /// Whether a total's change meets the condition. A total of 0 that rises has risen by more than any percentage.
    pub fn is_met(&self, total: &Total) -> bool {
        let change = if self.percent { total.percent() } else { total.after - total.before };
        if self.above { change > self.amount } else { change < self.amount }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.above { '>' } else { '<' };
        write!(f, "{}{sign}{:+}{}", self.name, self.amount, if self.percent { "%" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_conditions_and_decides() {
        let met = |text: &str, before, after| {
            text.parse::<Threshold>().expect(text).is_met(&Total { before, after, ..Total::default() })
        };
        assert!(met("VGPRs>+1%", 100.0, 102.0) && !met("VGPRs>+1%", 100.0, 101.0));
        assert!(met("Code Size > 10", 100.0, 111.0) && !met("Code Size>10", 100.0, 110.0));
        assert!(met("Waves<-5%", 100.0, 94.0) && !met("Waves<-5%", 100.0, 106.0));
        assert!(met("Spilled VGPRs>+50%", 0.0, 1.0) && !met("Spilled VGPRs>0%", 0.0, 0.0));
        assert_eq!("VGPRs>+1%".parse::<Threshold>().expect("parses").to_string(), "VGPRs>+1%");
        for wrong in ["", "VGPRs", ">1%", "VGPRs>", "VGPRs>x", "VGPRs>nan", "VGPRs=1"] {
            assert_eq!(wrong.parse::<Threshold>(), Err(ThresholdError(wrong.to_owned())));
        }
    }
}
