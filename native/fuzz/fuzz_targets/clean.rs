//! Page -> judgement -> decision by all rules, on scores that the input chooses.
#![no_main]

use dehusk_fuzz::{Fuzzed, Numbers, ADDRESS, OPTIONS, TYPES};
use dehusk_native::arrays::{Arguments, Column, Values};
use dehusk_native::deciding::likely_types::TypeWeights;
use dehusk_native::deciding::probabilities::Calibration;
use dehusk_native::deciding_exchange::{decide_page, Judge, Wishes};
use libfuzzer_sys::fuzz_target;

/// More than there are rules: others are refused one by one.
const RULES: u8 = 40;
/// The last stage of the plan.
const STAGES: u8 = 3;

fuzz_target!(|data: &[u8]| {
    if data.len() < OPTIONS {
        return;
    }
    let (options, html) = data.split_at(OPTIONS);
    let Some(fuzzed) = Fuzzed::new(html) else { return };
    let (page, blocks) = (fuzzed.read.read_page().unwrap(), fuzzed.blocks.found_blocks().unwrap());
    let mut numbers = Numbers::new(options);
    let content: Vec<f32> = (0..fuzzed.size()).map(|_| numbers.log_odds()).collect();
    let comment: Vec<f32> = (0..fuzzed.size()).map(|_| numbers.log_odds() - 3.0).collect();
    let mut types = [0.1 / (TYPES as f32 - 1.0); TYPES];
    types[usize::from(options[0]) % TYPES] = 0.9;
    let judge = Judge {
        network: None,
        types: &TypeWeights::default(),
        calibration: Calibration { scale: 1.0, offset: 0.0 },
        threshold: (options[1] & 1 == 1).then_some(0.5),
    };
    let arrays = vec![Values::U8(ADDRESS), Values::F32(&content), Values::F32(&comment), Values::F32(&types)];
    let judged = judge.judge_page(page, blocks, &mut Arguments::new(arrays)).expect("readings fit");
    let wishes = Wishes {
        threshold: judged.numbers[0],
        step: f64::from(options[2] % 3) - 1.0,
        forum: f64::from(options[3] % 2),
        wants_comments: options[1] & 2 == 2,
    };
    let plan: Vec<u8> =
        (0..STAGES).flat_map(|stage| (0..RULES).flat_map(move |rule| [rule, stage, rule % 2])).collect();
    let mut arrays: Vec<Values> = judged.columns.iter().map(Column::values).collect();
    arrays.extend([Values::U8(&[]), Values::U8(&[]), Values::U8(&plan), Values::U8(ADDRESS)]);
    let structures = fuzzed.read.structures().expect("it was read");
    let decided = decide_page(page, &structures, blocks, &wishes, &mut Arguments::new(arrays)).expect("scores fit");
    match &decided.columns[..] {
        [Column::U8(keep), Column::U8(comments), ..] => {
            assert!(keep.len() == fuzzed.size() && comments.len() == keep.len())
        }
        _ => panic!("a decision has two masks"),
    }
});
