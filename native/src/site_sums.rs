//! What a site counts of pages, as it crosses the interface, and the sum of that over several pages.
//!
//! Python adds up the tables of a site, in `dehusk.methods.page_network.site_readings`. If a few pages are added up here
//! before, it has one addition for all of them.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments, Column};
use crate::failure::{refused, Failure};
use crate::site_counts::{SignatureSamples, SiteCounts};

/// Parts of a key, and numbers for each key.
type Shape = (usize, usize);
const PLACES: Shape = (2, 3);
const SIGNATURES: Shape = (1, 4);
const CONTENTS: Shape = (1, 1);
const TABLES: usize = 3;

/// Keys, and numbers for each.
#[derive(Debug, Default, PartialEq)]
struct Table {
    keys: Vec<i64>,
    counts: Vec<i64>,
}

/// What a site counts of some pages.
#[derive(Debug, Default, PartialEq)]
pub struct PageSums {
    places: Table,
    signatures: Table,
    contents: Table,
    /// Of the style signatures, if blocks were given.
    samples: Option<SignatureSamples>,
}

impl PageSums {
    /// The counts of one page.
    pub fn of_page(counts: SiteCounts, samples: Option<SignatureSamples>) -> Self {
        let times = vec![1; counts.contents.len()];
        PageSums {
            places: Table { keys: counts.places, counts: counts.place_counts },
            signatures: Table { keys: counts.signatures, counts: counts.signature_counts },
            contents: Table { keys: counts.contents, counts: times },
            samples,
        }
    }

    /// Columns: the sizes of the tables and the number of ranks, then keys and numbers of each table, and the ranks of texts; a
    /// path and a text of each style signature, a NUL after each.
    pub fn into_columns(self) -> Vec<Column> {
        let PageSums { places, signatures, contents, samples } = self;
        let samples = samples.unwrap_or_default();
        let sizes = [places.keys.len() / PLACES.0, signatures.keys.len(), contents.keys.len(), samples.ranks.len()];
        let mut numbers: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
        for table in [places, signatures, contents] {
            numbers.extend(table.keys);
            numbers.extend(table.counts);
        }
        numbers.extend(samples.ranks);
        let texts = [samples.paths, samples.texts].into_iter().map(|texts| Column::U8(texts.joined.into_bytes()));
        std::iter::once(Column::I64(numbers)).chain(texts).collect()
    }
}

/// Add up pages whose blocks were given. Arrays: the columns of each.
pub fn sum_of_pages(arguments: &mut Arguments) -> Result<PageSums, Failure> {
    let mut pages = Vec::new();
    while arguments.are_left() {
        pages.push(GivenPage::new(arguments)?);
    }
    let table = |number: usize, shape| sum(pages.iter().map(|page| page.tables[number]), shape);
    Ok(PageSums {
        places: table(0, PLACES),
        signatures: table(1, SIGNATURES),
        contents: table(2, CONTENTS),
        samples: Some(samples_of(&pages)),
    })
}

/// The columns of a page, or of a sum of pages, as Python gives them back.
struct GivenPage<'a> {
    /// Keys and numbers of each table.
    tables: [(&'a [i64], &'a [i64]); TABLES],
    ranks: &'a [i64],
    paths: Vec<&'a str>,
    texts: Vec<&'a str>,
}

impl<'a> GivenPage<'a> {
    fn new(arguments: &mut Arguments<'a>) -> Result<Self, Failure> {
        let numbers = arguments.i64s("counts")?;
        let (sizes, mut left) = split(numbers, TABLES + 1)?;
        let mut tables = [(left, left); TABLES];
        for ((table, (parts, width)), &size) in tables.iter_mut().zip([PLACES, SIGNATURES, CONTENTS]).zip(sizes) {
            let (keys, after) = split(left, size as usize * parts)?;
            let (counts, rest) = split(after, size as usize * width)?;
            *table = (keys, counts);
            left = rest;
        }
        let [paths, texts] = [arguments.text("paths")?, arguments.text("texts")?]
            .map(|joined| joined.split_terminator('\0').collect::<Vec<_>>());
        for found in [left.len(), paths.len(), texts.len()] {
            fits("samples", found, tables[1].0.len())?;
        }
        Ok(GivenPage { tables, ranks: left, paths, texts })
    }
}

/// So many numbers, and the others.
fn split(numbers: &[i64], size: usize) -> Result<(&[i64], &[i64]), Failure> {
    if size > numbers.len() {
        return Err(refused(format!("counts end before {} more numbers", size)));
    }
    Ok(numbers.split_at(size))
}

/// Add up tables, by the order of their keys, which have no sign.
fn sum<'a>(tables: impl Iterator<Item = (&'a [i64], &'a [i64])>, (parts, width): Shape) -> Table {
    let rows = |(keys, counts): (&'a [i64], &'a [i64])| keys.chunks_exact(parts).zip(counts.chunks_exact(width));
    let mut rows: Vec<(&[i64], &[i64])> = tables.flat_map(rows).collect();
    let unsigned = |key: &[i64]| [key[0] as u64, key[parts - 1] as u64];
    rows.sort_unstable_by_key(|(key, _)| unsigned(key));
    let mut sum = Table::default();
    for (key, counts) in rows {
        if !sum.keys.ends_with(key) {
            sum.keys.extend(key);
            sum.counts.extend(counts);
            continue;
        }
        let last = sum.counts.len() - width;
        sum.counts[last..].iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.wrapping_add(*count));
    }
    sum
}

/// A path and a text of each style signature: those of the smallest rank, and of several the first by its letters. A path
/// has the rank of its signature.
fn samples_of(pages: &[GivenPage]) -> SignatureSamples {
    let signatures = |page: &GivenPage| page.tables[1].0.iter().map(|&key| key as u64).collect::<Vec<_>>();
    let mut paths = Vec::new();
    let mut texts = Vec::new();
    for page in pages {
        let keys = signatures(page);
        paths.extend(keys.iter().zip(&page.paths).map(|(&key, &path)| (key, key, path)));
        let ranked = keys.iter().zip(page.ranks).zip(&page.texts);
        texts.extend(ranked.map(|((&key, &rank), &text)| (key, rank as u64, text)));
    }
    let mut samples = SignatureSamples::default();
    first_of_each(&mut paths).for_each(|&(_, _, path)| samples.paths.push(path));
    first_of_each(&mut texts).for_each(|&(_, rank, text)| {
        samples.texts.push(text);
        samples.ranks.push(rank as i64);
    });
    samples
}

/// Key, rank and text of a sample.
type Sample<'a> = (u64, u64, &'a str);

/// The first sample of each key.
fn first_of_each<'a, 'b>(samples: &'b mut Vec<Sample<'a>>) -> impl Iterator<Item = &'b Sample<'a>> {
    samples.sort_unstable();
    samples.dedup_by_key(|sample| sample.0);
    samples.iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::text_lists::TextList;

    fn page(place: i64, text: &str, rank: i64) -> Vec<Column> {
        let table = |keys: &[i64], counts: &[i64]| Table { keys: keys.to_vec(), counts: counts.to_vec() };
        let samples = SignatureSamples {
            paths: TextList { joined: "p\0ul > li\0".to_string() },
            texts: TextList { joined: format!("{}\0\0", text) },
            ranks: vec![rank, 1],
        };
        PageSums {
            places: table(&[place, 5, -1, 9], &[1, 4, -8, 1, 2, 3]),
            signatures: table(&[5, -2], &[1, 4, 0, -8, 1, 2, 1, 3]),
            contents: table(&[7], &[1]),
            samples: Some(samples),
        }
        .into_columns()
    }

    fn sum_of(pages: &[Vec<Column>]) -> Result<PageSums, Failure> {
        sum_of_pages(&mut Arguments::new(pages.iter().flatten().map(Column::values).collect()))
    }

    #[test]
    fn pages_are_added_up_by_their_keys() {
        let found = sum_of(&[page(3, "Tea", 8), page(4, "Kettle", 6), page(3, "Cup", 6)]).unwrap();
        // -1 is the largest key.
        assert_eq!(found.places, Table { keys: vec![3, 5, 4, 5, -1, 9], counts: vec![2, 8, -16, 1, 4, -8, 3, 6, 9] });
        assert_eq!(found.signatures, Table { keys: vec![5, -2], counts: vec![3, 12, 0, -24, 3, 6, 3, 9] });
        assert_eq!(found.contents, Table { keys: vec![7], counts: vec![3] });
        let samples = found.samples.unwrap();
        assert_eq!(samples.paths.texts(), ["p", "ul > li"]);
        // Of the same rank, the first by its letters.
        assert_eq!((samples.texts.texts(), samples.ranks), (vec!["Cup", ""], vec![6, 1]));
    }

    #[test]
    fn sums_can_be_added_up_again() {
        let all = [page(3, "Tea", 8), page(4, "Kettle", 6), page(3, "Cup", 6)];
        let first = sum_of(&all[..2]).unwrap().into_columns();
        let again = sum_of(&[first, page(3, "Cup", 6)]).unwrap();
        assert_eq!(again, sum_of(&all).unwrap());
        assert_eq!(sum_of(&[]).unwrap().places, Table::default());
    }

    #[test]
    fn counts_that_do_not_fit_are_refused() {
        let mut damaged = page(3, "Tea", 8);
        damaged[0] = Column::I64(vec![2, 1]);
        assert!(sum_of(&[damaged]).is_err());
        let mut damaged = page(3, "Tea", 8);
        damaged[1] = Column::U8(Vec::new());
        assert!(sum_of(&[damaged]).is_err());
    }
}
