//! Questions of those who learn sites and compare pages: keys of blocks and words, paths, and what a site says about a page.
#![forbid(unsafe_code)]

use crate::arrays::{Arguments, Column};
use crate::blocks::page_blocks::Blocks;
use crate::blocks::paths::path_tree;
use crate::columns::Page;
use crate::failure::{refused, Failure};
use crate::keys::block_keys::{signatures_of_blocks, text_keys};
use crate::keys::word_keys::WordKeys;
use crate::network::{Network, DEFAULT_POLICY};
use crate::outcome::Outcome;
use crate::site_counts::count_page;
use crate::site_evidence::{limited, LinkedWords, Readings, Site, SiteWeights};
use crate::site_sums::PageSums;

/// Keys of the blocks of a page: of their texts, and their style signatures.
pub fn keys_of_blocks(page: &Outcome, blocks: &Outcome) -> Result<Vec<Column>, Failure> {
    Ok(keys_of(page.read_page()?, blocks.found_blocks()?))
}

fn keys_of(page: &Page, blocks: &Blocks) -> Vec<Column> {
    let signatures = signatures_of_blocks(&page.view(), &blocks.segments);
    vec![keyed(text_keys(&blocks.segments.texts)), keyed(signatures)]
}

/// What a site counts of the blocks of a page: keys of texts, style signatures, words, shares of link text, and log-odds, which
/// are limited. Array: the log-odds of the network.
pub fn readings_of_blocks(page: &Outcome, blocks: &Outcome, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let blocks = blocks.found_blocks()?;
    let logits = arguments.f32s_of("logits", blocks.segments.len())?;
    Ok(readings(page.read_page()?, blocks, logits))
}

fn readings(page: &Page, blocks: &Blocks, logits: &[f32]) -> Vec<Column> {
    let LinkedWords { words, link_share } = LinkedWords::of(&blocks.segments);
    let limited = logits.iter().map(|&logit| limited(logit)).collect();
    let mut columns = keys_of(page, blocks);
    columns.extend([Column::I64(words), Column::F32(link_share), Column::F32(limited)]);
    columns
}

/// Read a page with a network, and find what its site counts of it. Columns: those of the network's reading, then those of
/// `readings_of_blocks`.
pub fn measure_page(network: &Network, page: &Page, blocks: &Blocks) -> Result<Outcome, Failure> {
    let reading = network.read_page(&page.view(), blocks, DEFAULT_POLICY)?;
    let counted = readings(page, blocks, &reading.content);
    Ok(Outcome { columns: reading.into_columns().into_iter().chain(counted).collect(), ..Outcome::default() })
}

/// The paths to some rows of a page: parents, last steps as UTF-8 with a NUL after each, and the number of each row's path.
/// Array: the rows.
pub fn paths_to_rows(page: &Outcome, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let tree = path_tree(&page.read_page()?.view(), arguments.i32s("rows")?);
    let tree = tree.ok_or_else(|| refused("rows are beyond the page".to_string()))?;
    Ok(vec![Column::I32(tree.parents), Column::U8(tree.steps.joined.into_bytes()), Column::I32(tree.numbers)])
}

/// Runs of words that a page shows, or of those of a text: their keys, and a digest of all words. Arrays: the text, without a
/// page; words of a run, most runs, and 1 if fewer words are one run, or else 0.
pub fn windows_of_words(page: Option<&Outcome>, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let words = match page {
        Some(page) => WordKeys::of_page(&page.read_page()?.view()),
        None => WordKeys::of_text(arguments.text("text")?),
    };
    let (length, most, takes_fewer) = match *arguments.i64s("windows")? {
        [length, most, takes_fewer] if length > 0 && most >= 0 => (length as usize, most as usize, takes_fewer != 0),
        _ => return Err(refused("windows are not a length, a number and a choice".to_string())),
    };
    let length = if takes_fewer { length.min(words.key.len()).max(1) } else { length };
    Ok(vec![keyed(words.windows(length, most)), Column::U8(words.digest().to_vec())])
}

/// What a site says about a page: columns of evidence, 1 for blocks that it may take away, and given weights, what it adds to
/// log-odds. Arrays: those of `Readings`, weights or nothing, and those of `Site`. Numbers: other pages of the site, how far the
/// page matches it, and how far to trust it.
pub fn evidence_of_site(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let page = Readings::new(arguments)?;
    let weights = SiteWeights::new(arguments.f64s("weights")?)?;
    let found = Site::new(arguments)?.evidence(&page);
    let shifts = weights.map_or(Vec::new(), |weights| found.shifts(&weights).collect());
    Ok(Outcome {
        columns: vec![Column::F32(found.columns), Column::U8(found.is_repeated), Column::F32(shifts)],
        numbers: [found.other_pages as f64, found.matching, found.trust, 0.0],
        ..Outcome::default()
    })
}

/// What a site counts of a page; given the page and its blocks, with samples. Columns: those of `PageSums`. Arrays: those of
/// `Readings`.
pub fn counts_of_page(about: [Option<&Outcome>; 2], arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let readings = Readings::new(arguments)?;
    let counts = count_page(&readings);
    let samples = match about {
        [Some(page), Some(blocks)] => {
            let found = counts.samples(&readings, &page.read_page()?.view(), &blocks.found_blocks()?.segments);
            Some(found.ok_or_else(|| refused("the arrays are not those of the page".to_string()))?)
        }
        _ => None,
    };
    Ok(PageSums::of_page(counts, samples).into_columns())
}

/// Keys as a column. Python sees their bits as unsigned numbers again.
fn keyed(keys: Vec<u64>) -> Column {
    Column::I64(keys.into_iter().map(|key| key as i64).collect())
}
