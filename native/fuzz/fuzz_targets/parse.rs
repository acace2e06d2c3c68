//! Text -> page, blocks, features, keys, metadata: whatever it is, columns fit together.
#![no_main]

use dehusk_fuzz::Fuzzed;
use dehusk_native::derived_exchange::derived_from_page;
use dehusk_native::features::network_inputs::page_inputs;
use libfuzzer_sys::fuzz_target;

/// More than there are kinds of things to derive from a page.
const DERIVED: u32 = 16;

fuzz_target!(|data: &[u8]| {
    let Some(fuzzed) = Fuzzed::new(data) else { return };
    let page = fuzzed.read.read_page().expect("it was read");
    let rows = page.tag.len();
    assert!(page.parent.len() == rows && page.subtree_end.len() == rows && page.depth.len() == rows);
    for row in 1..rows {
        let parent = page.parent[row] as usize;
        assert!(
            parent < row && page.subtree_end[row] <= page.subtree_end[parent] && page.subtree_end[row] as usize > row
        );
    }
    let blocks = fuzzed.blocks.found_blocks().expect("they were found");
    let inputs = page_inputs(&page.view(), blocks).expect("there is memory");
    assert!(inputs.dense.iter().all(|feature| feature.abs() <= 4.0));
    for what in 0..DERIVED {
        // Numbers that stand for nothing are refused.
        let _ = derived_from_page(page, what);
    }
});
