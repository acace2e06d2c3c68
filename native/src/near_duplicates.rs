//! Pages of a site that say nearly the same as an earlier one, by the windows of words that they have and other pages have not.
//!
//! `dehusk.sites.duplicates` says what windows are, and why they are weighed like this.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments};
use crate::failure::{refused, Failure};

/// Repetitions: two are common, one that finds something and one that does not; more come of many versions of one article. A
/// bound, so that no sample can make every page cost a round.
const MOST_ROUNDS: usize = 10;
/// Share of the weight that must propose a pair. Far below any useful similarity, as a window proposes not every pair of its
/// pages; far above what pages of one section get by their menu in common.
const LEAST_PROPOSED: f64 = 0.2;
/// Pages before it, of those with a window, that a page is proposed to.
const NEIGHBOURS: usize = 3;

/// Pairs of pages: one that is dropped, and the earlier one it repeats, which may itself be dropped in a later round. Arrays:
/// the windows of each page, sorted, one page after the other; how many each has; and how similar duplicates are, from 0 to 1.
pub fn near_duplicates(arguments: &mut Arguments) -> Result<Vec<[i64; 2]>, Failure> {
    let (keys, sizes) = (arguments.i64s("windows")?, arguments.i64s("sizes")?);
    let similarity = arguments.f64s("similarity")?.first().copied();
    let similarity = similarity.ok_or_else(|| refused("similarity is empty".to_string()))?;
    fits("windows", keys.len(), sizes.iter().map(|&size| size as usize).sum())?;
    let mut pages = Vec::with_capacity(sizes.len());
    let mut left = keys;
    for &size in sizes {
        let (own, others) = left.split_at(size as usize);
        pages.push(own);
        left = others;
    }
    let mut kept: Vec<usize> = (0..pages.len()).collect();
    let mut dropped = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let found = in_one_round(&kept.iter().map(|&page| pages[page]).collect::<Vec<_>>(), similarity);
        if found.iter().all(Option::is_none) {
            break;
        }
        let pairs = found.iter().zip(&kept).filter_map(|(&earlier, &later)| Some((later, kept[earlier?])));
        dropped.extend(pairs.map(|(later, earlier)| [later as i64, earlier as i64]));
        let mut is_kept = found.iter().map(Option::is_none);
        kept.retain(|_| is_kept.next().unwrap_or(true));
    }
    Ok(dropped)
}

/// For each page an earlier one that it is near, and that is not itself near an earlier one; if there is one.
fn in_one_round(pages: &[&[i64]], similarity: f64) -> Vec<Option<usize>> {
    let mut found = vec![None; pages.len()];
    // What only one of two pages has weighs nothing.
    if pages.len() < 3 {
        return found;
    }
    let postings = Postings::of(pages);
    let weight = postings.weights(|window| window.if_not);
    let mut marked = vec![usize::MAX; postings.windows.len()];
    let mut last_marked = usize::MAX;
    for (earlier, later) in postings.proposals() {
        if found[earlier].is_some() || found[later].is_some() {
            continue;
        }
        if last_marked != earlier {
            postings.windows_of(earlier).iter().for_each(|&window| marked[window as usize] = earlier);
            last_marked = earlier;
        }
        let (mut in_common, mut not_apart) = (0.0, 0.0);
        for &number in postings.windows_of(later).iter().filter(|&&number| marked[number as usize] == earlier) {
            in_common += postings.windows[number as usize].if_shared;
            not_apart += postings.windows[number as usize].if_not;
        }
        let apart = weight[earlier] + weight[later] - 2.0 * not_apart;
        if in_common >= similarity * (in_common + apart) {
            found[later] = Some(earlier);
        }
    }
    found
}

/// A window of words.
struct Window {
    /// Where its pages begin in `Postings::pages`.
    start: usize,
    /// Its weight if both of two pages have it: 0 if all pages do, which says nothing of any two.
    if_shared: f64,
    /// Its weight if one of two pages has it.
    if_not: f64,
}

/// Which pages have which windows.
struct Postings {
    windows: Vec<Window>,
    /// The pages with each window, in order, one window after the other.
    pages: Vec<u32>,
    /// The windows of each page, one page after the other.
    of_pages: Vec<u32>,
    /// Where the windows of each page begin in `of_pages`, and where the last ones end.
    starts: Vec<usize>,
}

impl Postings {
    fn of(pages: &[&[i64]]) -> Postings {
        let mut starts = vec![0];
        let mut entries: Vec<(u64, u32)> = Vec::with_capacity(pages.iter().map(|own| own.len()).sum());
        for (own, page) in pages.iter().zip(0..) {
            entries.extend(own.iter().map(|&key| (key as u64, page)));
            starts.push(entries.len());
        }
        // Stable, and quick where much is sorted already, as the windows of each page are.
        entries.sort_by_key(|&(key, _)| key);
        let (mut windows, mut of_pages, mut filled_to) = (Vec::new(), vec![0; entries.len()], starts.clone());
        let (mut start, others) = (0, pages.len() as f64 - 1.0);
        while let Some(&(key, _)) = entries.get(start) {
            let having = entries[start..].iter().take_while(|entry| entry.0 == key);
            let mut end = start;
            for &(_, page) in having {
                of_pages[filled_to[page as usize]] = windows.len() as u32;
                filled_to[page as usize] += 1;
                end += 1;
            }
            let having = (end - start) as f64;
            let if_shared = (others / (having - 1.0).max(1.0)).ln();
            windows.push(Window { start, if_shared, if_not: (others / having.min(others)).ln() });
            start = end;
        }
        Postings { windows, pages: entries.into_iter().map(|(_, page)| page).collect(), of_pages, starts }
    }

    fn windows_of(&self, page: usize) -> &[u32] {
        &self.of_pages[self.starts[page]..self.starts[page + 1]]
    }

    /// The weight of all windows of each page.
    fn weights(&self, weight: impl Fn(&Window) -> f64) -> Vec<f64> {
        let of_page = |page| self.windows_of(page).iter().map(|&number| weight(&self.windows[number as usize])).sum();
        (0..self.starts.len() - 1).map(of_page).collect()
    }

    /// Pairs of an earlier and a later page that are worth comparing, sorted.
    ///
    /// Each window proposes its pages to those just before them and to its first page: `NEIGHBOURS` + 1 proposals an entry,
    /// not one for each pair of pages. So rare windows propose all their pairs, and of many versions of an article each meets
    /// the first. A pair needs `LEAST_PROPOSED` of the weight of its later page, so a page has at most
    /// (`NEIGHBOURS` + 1) / `LEAST_PROPOSED` pairs with earlier ones.
    fn proposals(&self) -> Vec<(usize, usize)> {
        let weight = self.weights(|window| window.if_shared);
        let mut seen = vec![0; self.windows.len()];
        let mut proposed = vec![0.0; weight.len()];
        let (mut to, mut pairs) = (Vec::new(), Vec::new());
        for later in 0..weight.len() {
            for &number in self.windows_of(later) {
                let window = &self.windows[number as usize];
                let before = &self.pages[window.start..window.start + seen[number as usize]];
                seen[number as usize] += 1;
                let first = before.first().filter(|_| before.len() > NEIGHBOURS);
                for &earlier in before.iter().rev().take(NEIGHBOURS).chain(first).filter(|_| window.if_shared > 0.0) {
                    if proposed[earlier as usize] == 0.0 {
                        to.push(earlier as usize);
                    }
                    proposed[earlier as usize] += window.if_shared;
                }
            }
            for earlier in to.drain(..) {
                if proposed[earlier] >= LEAST_PROPOSED * weight[earlier].max(weight[later]) {
                    pairs.push((earlier, later));
                }
                proposed[earlier] = 0.0;
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::Values;
    use crate::keys::stable_hash::combine;

    /// So many windows that are the same for the same number.
    fn windows(number: u64, count: u64) -> Vec<i64> {
        (0..count).map(|place| combine(number, place) as i64).collect()
    }

    /// Windows of a page, sorted.
    fn page(parts: &[Vec<i64>]) -> Vec<i64> {
        let mut all = parts.concat();
        all.sort_by_key(|&key| key as u64);
        all
    }

    fn asked(pages: &[Vec<i64>]) -> Vec<[i64; 2]> {
        let sizes: Vec<i64> = pages.iter().map(|own| own.len() as i64).collect();
        let keys = pages.concat();
        near_duplicates(&mut Arguments::new(vec![Values::I64(&keys), Values::I64(&sizes), Values::F64(&[0.8])]))
            .unwrap()
    }

    #[test]
    fn versions_of_an_article_are_near_duplicates_and_pages_of_a_template_are_not() {
        let (menu, article) = (windows(0, 500), windows(1, 100));
        let others: Vec<_> = (2..6).map(|number| page(&[menu.clone(), windows(number, 30)])).collect();
        assert_eq!(asked(&others), Vec::<[i64; 2]>::new());
        let one = page(&[menu.clone(), article.clone(), windows(10, 5)]);
        let print_version = page(&[article, windows(11, 5)]);
        assert_eq!(asked(&[&[one], &others[..], &[print_version]].concat()), [[5, 0]]);
    }

    #[test]
    fn two_pages_alone_are_never_near() {
        assert_eq!(asked(&[windows(1, 9), windows(1, 9)].map(|own| page(&[own]))), Vec::<[i64; 2]>::new());
        assert_eq!(asked(&[]), Vec::<[i64; 2]>::new());
    }

    #[test]
    fn pages_found_no_longer_make_their_windows_common() {
        // The last version is near the first only once those between are gone.
        let mut pages: Vec<_> = (2..9).map(|number| page(&[windows(0, 50), windows(number, 120)])).collect();
        let versions = [1, 2, 3, 4, 23].map(|more| page(&[windows(0, 50), windows(1, 120), windows(50, more)]));
        pages.extend(versions);
        let first_round = in_one_round(&pages.iter().map(|own| &own[..]).collect::<Vec<_>>(), 0.8);
        assert_eq!(first_round[7..], [None, Some(7), Some(7), Some(7), None]);
        assert_eq!(asked(&pages), [[8, 7], [9, 7], [10, 7], [11, 7]]);
    }

    #[test]
    fn work_on_many_versions_is_bounded() {
        let pages: Vec<_> = (0..400).map(|number| page(&[windows(1000, 20), windows(number, 20)])).collect();
        let compared = Postings::of(&pages.iter().map(|own| &own[..]).collect::<Vec<_>>()).proposals().len();
        assert!(compared as f64 <= 401.0 * (NEIGHBOURS + 1) as f64 / LEAST_PROPOSED);
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        let values = vec![Values::I64(&[1, 2]), Values::I64(&[3]), Values::F64(&[0.8])];
        assert!(near_duplicates(&mut Arguments::new(values)).is_err());
        let values = vec![Values::I64(&[1]), Values::I64(&[1]), Values::F64(&[])];
        assert!(near_duplicates(&mut Arguments::new(values)).is_err());
    }
}
