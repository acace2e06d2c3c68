//! Runs of adjacent entries that belong together.
#![forbid(unsafe_code)]

/// Runs of adjacent entries with the same key, as slices.
pub fn groups<'a, T, K: PartialEq + 'a>(
    entries: &'a [T],
    key: impl Fn(&T) -> K + 'a,
) -> impl Iterator<Item = (K, &'a [T])> + 'a {
    let mut rest = entries;
    std::iter::from_fn(move || {
        let first = key(rest.first()?);
        let (group, after) = rest.split_at(length_of_group(rest, &first, &key));
        rest = after;
        Some((first, group))
    })
}

/// How many entries at the start have a key.
pub fn length_of_group<T, K: PartialEq>(entries: &[T], wanted: &K, key: impl Fn(&T) -> K) -> usize {
    entries.iter().position(|entry| key(entry) != *wanted).unwrap_or(entries.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_entries_with_the_same_key() {
        let found: Vec<(usize, &[&str])> = groups(&["a", "b", "cc", "d"], |text| text.len()).collect();
        assert_eq!(found, [(1, &["a", "b"][..]), (2, &["cc"][..]), (1, &["d"][..])]);
        assert_eq!(groups(&[] as &[i32], |&entry| entry).count(), 0);
    }
}
