//! Arrays that cross the interface: those that Python lends for a call, and the columns that it gets.
#![forbid(unsafe_code)]

use crate::failure::{refused, Failure};
use std::str::from_utf8;

/// An array of Python's, lent for one call.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Bytes, or booleans.
    U8(&'a [u8]),
    /// Hashed tokens.
    U16(&'a [u16]),
    /// Rows, blocks and other indexes.
    I32(&'a [i32]),
    /// Offsets.
    I64(&'a [i64]),
    /// Features, weights and logits.
    F32(&'a [f32]),
    /// Numbers that are compared or added up.
    F64(&'a [f64]),
}

/// A column of a result, which Python sees as an array without a copy.
#[derive(Debug)]
pub enum Column {
    /// Bytes, or booleans.
    U8(Vec<u8>),
    /// Hashed tokens.
    U16(Vec<u16>),
    /// Rows, blocks and other indexes.
    I32(Vec<i32>),
    /// Offsets.
    I64(Vec<i64>),
    /// Features and logits.
    F32(Vec<f32>),
    /// Numbers that were compared or added up.
    F64(Vec<f64>),
}

impl Column {
    /// The entries.
    pub fn values(&self) -> Values<'_> {
        match self {
            Column::U8(values) => Values::U8(values),
            Column::U16(values) => Values::U16(values),
            Column::I32(values) => Values::I32(values),
            Column::I64(values) => Values::I64(values),
            Column::F32(values) => Values::F32(values),
            Column::F64(values) => Values::F64(values),
        }
    }
}

/// Lent arrays, taken one after the other. Each has a name, for messages.
pub struct Arguments<'a> {
    values: std::vec::IntoIter<Values<'a>>,
}

macro_rules! take {
    ($function:ident, $variant:ident, $type:ty) => {
        /// The next array, of this type.
        pub fn $function(&mut self, name: &str) -> Result<&'a [$type], Failure> {
            match self.values.next() {
                Some(Values::$variant(values)) => Ok(values),
                Some(_) => Err(refused(format!("{} is not of {}", name, stringify!($type)))),
                None => Err(refused(format!("{} is missing", name))),
            }
        }
    };
}

impl<'a> Arguments<'a> {
    /// Arrays in the order of the call.
    pub fn new(values: Vec<Values<'a>>) -> Self {
        Arguments { values: values.into_iter() }
    }

    /// Whether there are more.
    pub fn are_left(&self) -> bool {
        !self.values.as_slice().is_empty()
    }

    take!(u8s, U8, u8);
    take!(u16s, U16, u16);
    take!(i32s, I32, i32);
    take!(i64s, I64, i64);
    take!(f32s, F32, f32);
    take!(f64s, F64, f64);

    /// The next array, which must have this many numbers.
    pub fn f32s_of(&mut self, name: &str, length: usize) -> Result<&'a [f32], Failure> {
        let values = self.f32s(name)?;
        fits(name, values.len(), length)?;
        Ok(values)
    }

    /// The next array, which is UTF-8.
    pub fn text(&mut self, name: &str) -> Result<&'a str, Failure> {
        from_utf8(self.u8s(name)?).map_err(|_| refused(format!("{} is not UTF-8", name)))
    }

    /// Texts from the next two arrays: all of them as UTF-8, and where each ends in bytes.
    pub fn texts(&mut self, name: &str) -> Result<Vec<&'a str>, Failure> {
        let (joined, ends) = (self.text(name)?, self.i64s(name)?);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let cut = |(start, end): (i64, &i64)| joined.get(start as usize..*end as usize);
        let found: Option<Vec<&str>> = starts.zip(ends).map(cut).collect();
        found.ok_or_else(|| refused(format!("the ends of {} are out of bounds", name)))
    }
}

/// Refuse an array of another length.
pub fn fits(name: &str, found: usize, wanted: usize) -> Result<(), Failure> {
    if found == wanted {
        return Ok(());
    }
    Err(refused(format!("{} has {} entries instead of {}", name, found, wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_checked() {
        let mut arguments = Arguments::new(vec![Values::F32(&[1.0]), Values::U16(&[1]), Values::F32(&[1.0])]);
        assert_eq!(arguments.f32s("dense"), Ok(&[1.0][..]));
        assert_eq!(arguments.f32s("dense"), Err(refused("dense is not of f32".to_string())));
        assert_eq!(arguments.f32s_of("bias", 2), Err(refused("bias has 1 entries instead of 2".to_string())));
        assert_eq!(arguments.i64s("start"), Err(refused("start is missing".to_string())));
    }

    #[test]
    fn texts_are_cut_where_they_end() {
        let texts =
            |ends: &'static [i64]| Arguments::new(vec![Values::U8("aéb".as_bytes()), Values::I64(ends)]).texts("x");
        assert_eq!(texts(&[1, 1, 4]), Ok(vec!["a", "", "éb"]));
        for ends in [&[2][..], &[5], &[1, 0], &[-1]] {
            assert_eq!(texts(ends), Err(refused("the ends of x are out of bounds".to_string())));
        }
    }
}
