//! `readfile` and `writefile` (chapter 8, 12).

use crate::syntax::Form;

use super::builder::{Builder, Built};
use super::operators::Level;
use crate::query::ast::{CondExpr, StrExpr};

impl Builder {
    /// Reads `readfile s`. The word is read.
    pub(super) fn read_file(&mut self, first: usize) -> Built {
        self.file_access(first);
        let name = self.typed_operand(Level::Sum, "after `readfile`")?;
        self.complete(StrExpr::ReadFile(name), first)
    }

    /// Reads `writefile(s t)`. The form is next.
    pub(super) fn write_file(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.file_access(first);
        let opened = self.enter(form)?;
        let name = self.typed_operand(Level::Sum, "as the name of the file")?;
        let content = self.typed_operand(Level::Sum, "as what is written")?;
        self.close(opened, "the name and the content")?;
        self.complete(CondExpr::WriteFile { name, content }, first)
    }

    fn file_access(&mut self, first: usize) {
        self.found.file_access.get_or_insert(self.cursor.tokens[first].span);
    }
}
