//! Pages that are read, judged and decided on in one call: what most calls want. Python has less to do, and other threads
//! of it can work all the time.
#![forbid(unsafe_code)]

use crate::arrays::{Arguments, Column, Values};
use crate::columns::Limits;
use crate::deciding::likely_types::TypeWeights;
use crate::deciding::probabilities::Calibration;
use crate::deciding_exchange::{decide_page, Judge, Wishes};
use crate::decoding_exchange::Source;
use crate::failure::{refused, Failure};
use crate::metadata::stored_values::may_store_unshown_text;
use crate::network::Network;
use crate::outcome::Outcome;
use crate::page_exchange::{blocks_of_page, read_page};
use crate::site_evidence::{Readings, Site, SiteWeights};
use crate::site_exchange::measure_page;
use std::sync::Arc;

/// What pages are cleaned with.
pub struct Cleaner<'a> {
    /// Reads pages.
    network: &'a Network,
    /// Weights of clues to the type.
    types: &'a TypeWeights,
    /// The address of the page.
    address: &'a [u8],
    calibration: Calibration,
    /// The threshold; None for the best one of the page.
    threshold: Option<f64>,
    /// Shift of the threshold in log-odds.
    step: f64,
    /// Whether readers' comments are kept.
    wants_comments: bool,
    /// The number of the type of forums.
    forum: f64,
    plans: Plans<'a>,
    /// How much of a page is read.
    limits: Limits,
    site: Option<KnownSite<'a>>,
}

/// What is known of the site of a page, and how much it counts.
struct KnownSite<'a> {
    weights: SiteWeights<'a>,
    counts: Site<'a>,
}

impl<'a> KnownSite<'a> {
    /// Arrays: weights, and then what `Site` takes; or none of all this.
    fn new(arguments: &mut Arguments<'a>) -> Result<Option<Self>, Failure> {
        match SiteWeights::new(arguments.f64s("site_weights")?)? {
            Some(weights) => Ok(Some(KnownSite { weights, counts: Site::new(arguments)? })),
            None => Ok(None),
        }
    }

    /// Log-odds of content that take the site into account.
    fn content(&self, content: &[f32], page: &Readings) -> Vec<f32> {
        let evidence = self.counts.evidence(page);
        let shifts = evidence.shifts(&self.weights);
        content.iter().zip(shifts).map(|(content, shift)| content + shift).collect()
    }
}

/// What earlier calls found out about a page.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// Its blocks.
    pub blocks: Option<&'a Outcome>,
    /// What `measure_page` returned.
    pub measured: Option<&'a Outcome>,
}

/// Which rules may apply to pages of each type: if the evidence on the type disagrees, and if it agrees.
struct Plans<'a> {
    entries: &'a [u8],
    /// Where each plan ends.
    end: &'a [i64],
}

impl<'a> Plans<'a> {
    /// The plan of a type.
    fn of(&self, page_type: usize, is_agreed: bool) -> Result<&'a [u8], Failure> {
        let number = 2 * page_type + usize::from(is_agreed);
        let start = number.checked_sub(1).map_or(Some(&0), |before| self.end.get(before));
        let bounds = start.zip(self.end.get(number)).map(|(&start, &end)| start as usize..end as usize);
        bounds.and_then(|bounds| self.entries.get(bounds)).ok_or_else(|| refused("a plan is missing".to_string()))
    }
}

/// Limits by their numbers.
fn limits_of(numbers: &[i64]) -> Result<Limits, Failure> {
    match *numbers {
        [nodes, attributes, depth] => {
            Ok(Limits { nodes: nodes as usize, attributes: attributes as usize, depth: depth as i32 })
        }
        _ => Err(refused(format!("there are {} limits instead of 3", numbers.len()))),
    }
}

impl<'a> Cleaner<'a> {
    /// Arrays: scale and offset of the calibration, threshold, its shift, whether comments are kept, and the number of the
    /// type of forums; the plans, and where each ends; the most nodes, attributes and levels of a page; those of `KnownSite`.
    pub fn new(
        network: &'a Network,
        types: &'a TypeWeights,
        address: &'a [u8],
        arguments: &mut Arguments<'a>,
    ) -> Result<Self, Failure> {
        let numbers = arguments.f64s("numbers")?;
        let plans = Plans { entries: arguments.u8s("plans")?, end: arguments.i64s("plan_end")? };
        let limits = limits_of(arguments.i64s("limits")?)?;
        let site = KnownSite::new(arguments)?;
        match *numbers {
            [scale, offset, threshold, step, comments, forum] => Ok(Cleaner {
                network,
                types,
                address,
                calibration: Calibration { scale, offset },
                threshold: Some(threshold).filter(|threshold| !threshold.is_nan()),
                step,
                wants_comments: comments != 0.0,
                forum,
                plans,
                limits,
                site,
            }),
            _ => Err(refused(format!("there are {} numbers instead of 6", numbers.len()))),
        }
    }

    /// The outcome of reading a page, with its `parts`; without them if it has to be decoded first, or if a script stores
    /// text that the page may not show: then it may have to be read again.
    pub fn clean(&self, source: &Source) -> Result<Outcome, Failure> {
        let read = read_page(source, None, &self.limits)?;
        if read.page.as_ref().is_none_or(may_store_unshown_text) {
            return Ok(read);
        }
        Ok(Outcome { parts: self.parts(&read, Known::default())?, ..read })
    }

    /// The outcomes of finding the blocks of a page, of judging them and of deciding.
    pub fn parts(&self, read: &Outcome, known: Known) -> Result<Vec<Outcome>, Failure> {
        let blocks = match known.blocks.and_then(|blocks| blocks.blocks.as_ref()) {
            Some(blocks) => Outcome { blocks: Some(Arc::clone(blocks)), ..Outcome::default() },
            None => blocks_of_page(read.read_page()?)?,
        };
        let judged = self.judge(read, &blocks, known.measured)?;
        let decided = self.decide(read, &blocks, &judged)?;
        Ok(vec![blocks, judged, decided])
    }

    fn judge(&self, read: &Outcome, blocks: &Outcome, measured: Option<&Outcome>) -> Result<Outcome, Failure> {
        let (page, blocks) = (read.read_page()?, blocks.found_blocks()?);
        let (types, calibration, threshold) = (self.types, self.calibration, self.threshold);
        let judge = |network| Judge { network, types, calibration, threshold };
        let mut arrays = vec![Values::U8(self.address)];
        let measured_now;
        let measured = match (measured, &self.site) {
            (Some(measured), _) => measured,
            (None, Some(_)) => {
                measured_now = measure_page(self.network, page, blocks)?;
                &measured_now
            }
            (None, None) => return judge(Some(self.network)).judge_page(page, blocks, &mut Arguments::new(arrays)),
        };
        let content = self.content(measured)?;
        arrays.push(Values::F32(&content));
        arrays.extend(measured.columns[1..].iter().map(Column::values));
        judge(None).judge_page(page, blocks, &mut Arguments::new(arrays))
    }

    /// Log-odds of content for a page that was measured.
    fn content(&self, measured: &Outcome) -> Result<Vec<f32>, Failure> {
        let arguments = &mut Arguments::new(measured.columns.iter().map(Column::values).collect());
        let content = arguments.f32s("content")?;
        let (_comment, _types) = (arguments.f32s("comment")?, arguments.f32s("types")?);
        match &self.site {
            Some(site) => Ok(site.content(content, &Readings::new(arguments)?)),
            None => Ok(content.to_vec()),
        }
    }

    fn decide(&self, read: &Outcome, blocks: &Outcome, judged: &Outcome) -> Result<Outcome, Failure> {
        let [threshold, page_type, certainty, is_agreed] = judged.numbers;
        let wishes = Wishes {
            threshold,
            step: self.step,
            forum: if page_type == self.forum { certainty } else { 0.0 },
            wants_comments: self.wants_comments,
        };
        let plan = self.plans.of(page_type as usize, is_agreed != 0.0)?;
        let columns = judged.columns.iter().map(|column| column.values());
        let others = [&[], &[], plan, self.address].map(Values::U8);
        let arguments = &mut Arguments::new(columns.chain(others).collect());
        decide_page(read.read_page()?, &*read.structures()?, blocks.found_blocks()?, &wishes, arguments)
    }
}
