//! The insertion modes of tables.

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode, Outcome};
use super::document::NONE;
use super::start_tag::StartTag;
use crate::html::tags::*;
use Outcome::{Again, Done};

const TABLE_BODIES: &[Tag] = &[TBODY, TFOOT, THEAD];

impl Builder<'_> {
    /// "In table" insertion mode.
    pub fn start_in_table(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            CAPTION => {
                self.clear_back_to(&[TABLE]);
                self.formatting.add_marker();
                self.insert_block(start);
                self.mode = Mode::InCaption;
            }
            COLGROUP => {
                self.clear_back_to(&[TABLE]);
                self.insert_block(start);
                self.mode = Mode::InColumnGroup;
            }
            COL => return self.imply_table_part(COLGROUP, Mode::InColumnGroup),
            TBODY | TFOOT | THEAD => {
                self.clear_back_to(&[TABLE]);
                self.insert_block(start);
                self.mode = Mode::InTableBody;
            }
            TD | TH | TR => return self.imply_table_part(TBODY, Mode::InTableBody),
            _ => return self.start_other_in_table(start),
        }
        Done
    }

    fn imply_table_part(&mut self, tag: Tag, mode: Mode) -> Outcome {
        self.clear_back_to(&[TABLE]);
        self.insert_implied(tag);
        self.mode = mode;
        Again
    }

    /// What is no part of a table, in a table.
    fn start_other_in_table(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            TABLE => return self.start_table_again(),
            STYLE | SCRIPT | TEMPLATE => return self.start_of_head(start),
            INPUT if self.is_hidden_input(&start) => self.insert_void(start),
            FORM => {
                if self.form == NONE && !self.open.contains(TEMPLATE) {
                    self.form = self.insert_closed(FORM, start.attributes);
                }
            }
            _ => {
                self.foster_parenting = true;
                self.start_in_body(start);
                self.foster_parenting = false;
            }
        }
        Done
    }

    /// A table in a table, but not in a cell: the first one ends.
    fn start_table_again(&mut self) -> Outcome {
        if !self.open.in_table_scope(TABLE) {
            return Done;
        }
        self.pop_until(TABLE);
        self.reset_mode();
        Again
    }

    pub fn end_in_table(&mut self, tag: Tag) -> Outcome {
        match tag {
            TABLE => {
                if self.open.in_table_scope(TABLE) {
                    self.pop_until(TABLE);
                    self.reset_mode();
                }
            }
            BODY | CAPTION | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            TEMPLATE => return self.end_template(),
            _ => {
                self.foster_parenting = true;
                self.end_in_body(tag);
                self.foster_parenting = false;
            }
        }
        Done
    }

    /// "In caption" insertion mode.
    pub fn start_in_caption(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR => self.close_caption(),
            _ => self.start_in_body(start),
        }
    }

    pub fn end_in_caption(&mut self, tag: Tag) -> Outcome {
        match tag {
            CAPTION => {
                self.close_caption();
                Done
            }
            TABLE => self.close_caption(),
            BODY | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => Done,
            _ => self.end_in_body(tag),
        }
    }

    /// `Done` if there is no caption to close.
    fn close_caption(&mut self) -> Outcome {
        if !self.open.in_table_scope(CAPTION) {
            return Done;
        }
        self.imply_end_tags();
        self.pop_until(CAPTION);
        self.formatting.clear_to_marker();
        self.mode = Mode::InTable;
        Again
    }

    /// "In column group" insertion mode.
    pub fn start_in_column_group(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => return self.start_in_body(start),
            COL => self.insert_void(start),
            TEMPLATE => return self.start_of_head(start),
            _ if self.open.current_is(COLGROUP) => {
                self.leave_column_group();
                return Again;
            }
            _ => {}
        }
        Done
    }

    pub fn end_in_column_group(&mut self, tag: Tag) -> Outcome {
        match tag {
            COL => Done,
            TEMPLATE => self.end_template(),
            _ if !self.open.current_is(COLGROUP) => Done,
            COLGROUP => {
                self.leave_column_group();
                Done
            }
            _ => {
                self.leave_column_group();
                Again
            }
        }
    }

    pub fn leave_column_group(&mut self) {
        self.pop();
        self.mode = Mode::InTable;
    }

    /// "In table body" insertion mode.
    pub fn start_in_table_body(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            TR => {
                self.clear_back_to(TABLE_BODIES);
                self.insert_block(start);
                self.mode = Mode::InRow;
                Done
            }
            TH | TD => {
                self.clear_back_to(TABLE_BODIES);
                self.insert_implied(TR);
                self.mode = Mode::InRow;
                Again
            }
            CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD => self.close_table_body(),
            _ => self.start_other_in_table(start),
        }
    }

    pub fn end_in_table_body(&mut self, tag: Tag) -> Outcome {
        match tag {
            TBODY | TFOOT | THEAD => {
                if self.open.in_table_scope(tag) {
                    self.close_table_body();
                }
                Done
            }
            TABLE => self.close_table_body(),
            BODY | CAPTION | COL | COLGROUP | HTML | TD | TH | TR => Done,
            _ => self.end_in_table(tag),
        }
    }

    /// `Done` if there is no table body to close.
    fn close_table_body(&mut self) -> Outcome {
        if !TABLE_BODIES.iter().any(|&tag| self.open.in_table_scope(tag)) {
            return Done;
        }
        self.clear_back_to(TABLE_BODIES);
        self.pop();
        self.mode = Mode::InTable;
        Again
    }

    /// "In row" insertion mode.
    pub fn start_in_row(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            TH | TD => {
                self.clear_back_to(&[TR]);
                self.insert_block(start);
                self.mode = Mode::InCell;
                self.formatting.add_marker();
                Done
            }
            CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD | TR => self.close_row(),
            _ => self.start_other_in_table(start),
        }
    }

    pub fn end_in_row(&mut self, tag: Tag) -> Outcome {
        match tag {
            TR => {
                self.close_row();
                Done
            }
            TABLE => self.close_row(),
            TBODY | TFOOT | THEAD if self.open.in_table_scope(tag) => self.close_row(),
            TBODY | TFOOT | THEAD | BODY | CAPTION | COL | COLGROUP | HTML | TD | TH => Done,
            _ => self.end_in_table(tag),
        }
    }

    /// `Done` if there is no row to close.
    fn close_row(&mut self) -> Outcome {
        if !self.open.in_table_scope(TR) {
            return Done;
        }
        self.clear_back_to(&[TR]);
        self.pop();
        self.mode = Mode::InTableBody;
        Again
    }

    /// "In cell" insertion mode.
    pub fn start_in_cell(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR => {
                if !self.open.in_table_scope(TD) && !self.open.in_table_scope(TH) {
                    return Done;
                }
                self.close_cell();
                Again
            }
            _ => self.start_in_body(start),
        }
    }

    pub fn end_in_cell(&mut self, tag: Tag) -> Outcome {
        match tag {
            TD | TH => {
                if self.open.in_table_scope(tag) {
                    self.imply_end_tags();
                    self.pop_until(tag);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Done
            }
            TABLE | TBODY | TFOOT | THEAD | TR if self.open.in_table_scope(tag) => {
                self.close_cell();
                Again
            }
            BODY | CAPTION | COL | COLGROUP | HTML | TABLE | TBODY | TFOOT | THEAD | TR => Done,
            _ => self.end_in_body(tag),
        }
    }

    fn close_cell(&mut self) {
        self.imply_end_tags();
        self.pop_through(|element| element.is_one_of(&[TD, TH]));
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
    }
}
