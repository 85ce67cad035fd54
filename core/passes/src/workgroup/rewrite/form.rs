//! The closed forms as instructions: all operations are on unsigned 32-bit integers.

use super::Form;
use lanescope_base::ids::Id;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::Op;

/// Arithmetic on `uint`, one instruction an operation; steps that change nothing are left out.
pub(super) struct Sum<'a, 'm> {
    pub editor: &'a mut Editor<'m>,
    pub code: &'a mut Vec<u32>,
    pub uint: Id,
}

impl Sum<'_, '_> {
    fn op(&mut self, op: Op, a: Id, b: Id) -> Id {
        self.editor.value(self.code, op, self.uint, &[a.0, b.0])
    }

    pub fn add(&mut self, a: Id, b: Id) -> Id {
        self.op(Op::IAdd, a, b)
    }

    pub fn times(&mut self, a: Id, b: u32) -> Id {
        if b == 1 {
            return a;
        }
        let b = self.editor.u32(b);
        self.op(Op::IMul, a, b)
    }

    pub fn div(&mut self, a: Id, b: u32) -> Id {
        if b == 1 {
            return a;
        }
        let b = self.editor.u32(b);
        self.op(Op::UDiv, a, b)
    }

    pub fn modulo(&mut self, a: Id, b: u32) -> Id {
        let b = self.editor.u32(b);
        self.op(Op::UMod, a, b)
    }

    pub fn plus(&mut self, a: Id, b: u32) -> Id {
        let b = self.editor.u32(b);
        self.op(Op::IAdd, a, b)
    }

    pub fn minus(&mut self, a: Id, b: u32) -> Id {
        let b = self.editor.u32(b);
        self.op(Op::ISub, a, b)
    }

    /// Whether a number is less than a constant.
    pub fn less(&mut self, a: Id, b: u32) -> Id {
        let (bool, b) = (self.editor.bool(), self.editor.u32(b));
        self.editor.value(self.code, Op::ULessThan, bool, &[a.0, b.0])
    }

    /// The first pair where the condition holds, else the second.
    pub fn choose(&mut self, holds: Id, these: [Id; 2], those: [Id; 2]) -> [Id; 2] {
        let pairs = [(these[0], those[0]), (these[1], those[1])];
        pairs.map(|(a, b)| self.editor.value(self.code, Op::Select, self.uint, &[holds.0, a.0, b.0]))
    }

    /// `count` bits moved together: every other one from `first` on.
    pub fn even_bits(&mut self, value: Id, first: u32, count: u32) -> Id {
        let mut out = self.editor.u32(0);
        for bit in 0..count {
            let (from, mask) = (self.editor.u32(first + 2 * bit), self.editor.u32(1));
            let moved = self.op(Op::ShiftRightLogical, value, from);
            let one = self.op(Op::BitwiseAnd, moved, mask);
            let to = self.editor.u32(bit);
            let place = self.op(Op::ShiftLeftLogical, one, to);
            out = self.op(Op::BitwiseOr, out, place);
        }
        out
    }
}

/// x, y and z of the invocation that the thread with the hardware's id runs. No dimension is 0, and the form is
/// one-to-one for the size. In a group that was made one row wide the hardware's id holds the thread in x.
pub(super) fn remapped(
    editor: &mut Editor<'_>,
    code: &mut Vec<u32>,
    hardware: Id,
    [size_x, size_y, size_z]: [u32; 3],
    form: Form,
    folded: bool,
) -> [Id; 3] {
    let uint = editor.int(32, false);
    let (t, z) = if folded {
        let thread = editor.value(code, Op::CompositeExtract, uint, &[hardware.0, 0]);
        let mut s = Sum { editor, code, uint };
        if size_z == 1 {
            (thread, s.editor.u32(0))
        } else {
            let slice = size_x.saturating_mul(size_y);
            (s.modulo(thread, slice), s.div(thread, slice))
        }
    } else {
        let [tx, ty, z] = [0, 1, 2].map(|at| editor.value(code, Op::CompositeExtract, uint, &[hardware.0, at]));
        let mut s = Sum { editor, code, uint };
        let rows = s.times(ty, size_x);
        (s.add(rows, tx), z)
    };
    let mut s = Sum { editor, code, uint };
    let [x, y] = match form {
        Form::RowMajor => [s.modulo(t, size_x), s.div(t, size_x)],
        Form::Quads => {
            let q = s.div(t, 4);
            let (column, row) = (s.modulo(q, size_x / 2), s.div(q, size_x / 2));
            let half = s.div(t, 2);
            [within(&mut s, (column, 2), t), within(&mut s, (row, 2), half)]
        }
        Form::Block8 => {
            let q = s.div(t, 8);
            let strip = s.div(q, size_y);
            let (strip, inside) = (s.times(strip, 8), s.modulo(t, 8));
            [s.add(strip, inside), s.modulo(q, size_y)]
        }
        Form::Block8Quads => {
            let q = s.div(t, 16);
            let (strip, row) = (s.div(q, size_y / 2), s.modulo(q, size_y / 2));
            let quad = s.div(t, 4);
            let quad = s.modulo(quad, 4);
            let strip = s.times(strip, 8);
            let inside = within(&mut s, (quad, 2), t);
            let half = s.div(t, 2);
            [s.add(strip, inside), within(&mut s, (row, 2), half)]
        }
    };
    [x, y, z]
}

/// `step * tile + value mod step`.
fn within(s: &mut Sum<'_, '_>, (tile, step): (Id, u32), value: Id) -> Id {
    let (start, inside) = (s.times(tile, step), s.modulo(value, step));
    s.add(start, inside)
}

/// `(z * Y + y) * X + x`.
pub(super) fn index(
    editor: &mut Editor<'_>,
    code: &mut Vec<u32>,
    [x, y, z]: [Id; 3],
    [size_x, size_y, _]: [u32; 3],
) -> Id {
    let uint = editor.int(32, false);
    let mut s = Sum { editor, code, uint };
    let slices = s.times(z, size_y);
    let rows = s.add(slices, y);
    let rows = s.times(rows, size_x);
    s.add(rows, x)
}
