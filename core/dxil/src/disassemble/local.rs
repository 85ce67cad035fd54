//! The names of a function's own values and blocks, with LLVM's numbers for those that have none.

use crate::module::{BlockId, Body, Function, Module, Type, ValueId, symbol};

/// Names of one function.
#[derive(Debug, Default)]
pub struct Local {
    /// Number of values before the function's own.
    first: usize,
    values: Vec<Name>,
    blocks: Vec<Name>,
    arguments: usize,
}

#[derive(Debug, Clone)]
enum Name {
    Number(u32),
    Text(String),
    /// It has no result, or its place is not known.
    None,
}

impl Local {
    /// Numbers what has no name, in LLVM's order: arguments, then each block and its instructions.
    pub fn new(module: &Module, function: &Function, body: &Body) -> Local {
        let first = module.values.len();
        let mut values = vec![Name::None; body.values.len()];
        let mut next = 0;
        let mut name = |text: &str| match text {
            "" => {
                next += 1;
                Name::Number(next - 1)
            }
            text => Name::Text(text.to_owned()),
        };
        let arguments = match module.types.get(function.ty) {
            Some(Type::Function { parameters, .. }) => parameters.len().min(values.len()),
            _ => 0,
        };
        for (at, value) in values.iter_mut().enumerate().take(arguments) {
            *value = name(body.names.of((first + at) as u32));
        }
        let mut blocks = Vec::with_capacity(body.blocks.len());
        for (at, block) in body.blocks.iter().enumerate() {
            blocks.push(name(body.block_names.of(at as u32)));
            for (_, is) in body.block(block) {
                if let Some(result) = is.result
                    && let Some(slot) = (result.0 as usize).checked_sub(first).and_then(|at| values.get_mut(at))
                {
                    *slot = name(body.names.of(result.0));
                }
            }
        }
        Local { first, values, blocks, arguments }
    }

    /// `%3`, for a value of the function that is not a constant.
    pub fn value(&self, id: ValueId) -> Option<String> {
        let name = self.values.get((id.0 as usize).checked_sub(self.first)?)?;
        match name {
            Name::None => None,
            name => Some(name.with('%')),
        }
    }

    /// `%0`, for an argument by its index.
    pub fn argument(&self, index: usize) -> String {
        self.values.get(index).filter(|_| index < self.arguments).map(|name| name.with('%')).unwrap_or_default()
    }

    /// `%12`, for a block.
    pub fn block(&self, id: BlockId) -> String {
        self.blocks.get(id.0 as usize).map_or_else(|| "<bad block>".to_owned(), |name| name.with('%'))
    }

    /// `12`, as a block's own line has it.
    pub fn block_label(&self, index: usize) -> String {
        match self.blocks.get(index) {
            Some(Name::Number(number)) => number.to_string(),
            Some(Name::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// Whether the first block has a name.
    pub fn names_blocks(&self) -> bool {
        matches!(self.blocks.first(), Some(Name::Text(_)))
    }
}

impl Name {
    fn with(&self, sign: char) -> String {
        match self {
            Name::Number(number) => format!("{sign}{number}"),
            Name::Text(text) => symbol(sign, text),
            Name::None => String::new(),
        }
    }
}
