//! Leaves -> tree: the blocks of a container are consecutive, so adjacent leaves are grouped, level by level.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use super::containers::Containers;
use super::groups::length_of_group;
use super::lists::{
    append_with_lists_joined, continues_list, is_member, join_last_lists, list_around, list_of, with_lists_joined,
    ItemNumbers,
};
use super::quotations::only_indents;
use super::steps::count;
use super::tree::{Node, Part, Span, SpanKind};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const QUOTE: i32 = number_of("blockquote");
const ORDERED: i32 = number_of("ol");
/// Bullets that pages write as text.
const BULLETS: [&str; 6] = ["•", "◦", "▪", "‣", "·", "–"];
const FIGURE: i32 = number_of("figure");
/// Bytes of a link that a page indents: a name, a file, an address. A longer one may be a sentence.
const LONGEST_LINK: usize = 60;
/// The group of leaves that nothing encloses.
const NOT_ENCLOSED: i32 = -1;

/// A node and the containers around it.
#[derive(Clone, Debug, Default)]
pub struct Leaf {
    /// Outermost first: a part of the rows that `Containers::rows` gives.
    pub containers: Part,
    /// What is shown.
    pub node: Node,
    /// Whether it is the caption of a figure.
    pub is_caption: bool,
}

/// Puts leaves into their containers.
pub struct Assembly<'a> {
    /// The page.
    pub page: &'a PageView<'a>,
    /// The containers of all leaves.
    pub containers: &'a Containers<'a>,
    /// The spans of all leaves.
    pub spans: &'a [Span],
    /// The text that they are parts of.
    pub text: &'a str,
    /// Numbers of list items.
    pub numbers: &'a mut ItemNumbers,
    /// Whether lists that a tool writes for one item each become one.
    pub joins_lists: bool,
}

impl Assembly<'_> {
    /// The nodes of leaves that share their first `depth` containers. Takes the nodes out of the leaves.
    pub fn assembled(&mut self, leaves: &mut [Leaf], depth: usize) -> Vec<Node> {
        count(leaves.len() + 1);
        if !leaves.iter().any(|leaf| leaf.containers.range().len() > depth) {
            return with_lists_joined(leaves.iter_mut().map(|leaf| std::mem::take(&mut leaf.node)));
        }
        let mut nodes = Vec::new();
        let mut rest = leaves;
        let mut before = NOT_ENCLOSED;
        while let Some(first) = rest.first() {
            let key = self.group_at(first, depth);
            let length = length_of_group(rest, &key, |leaf| self.group_at(leaf, depth));
            let (group, after) = std::mem::take(&mut rest).split_at_mut(length);
            let first = nodes.len();
            self.add_group(key, group, depth, &mut nodes);
            if self.joins_lists && nodes.len() == first + 1 && continues_list(self.page, before, key) {
                join_last_lists(&mut nodes);
            }
            before = key;
            rest = after;
        }
        nodes
    }

    /// Adds the nodes of leaves in the same list, quote or figure.
    fn add_group(&mut self, key: i32, group: &mut [Leaf], depth: usize, nodes: &mut Vec<Node>) {
        if key < 0 {
            let group = group.iter_mut().map(|leaf| std::mem::take(&mut leaf.node));
            nodes.reserve(group.len());
            append_with_lists_joined(nodes, group);
            return;
        }
        if let Some(&kind) = self.containers.callouts.kinds.get(&(key as usize)) {
            nodes.push(self.callout(kind, group, depth + 1));
            return;
        }
        if self.containers.callouts.titles.contains(&(key as usize)) {
            nodes.append(&mut self.assembled(group, depth + 1));
            return;
        }
        match self.page.tag[key as usize] {
            _ if self.containers.pull_quotes.is_unmarked(key as usize) => {
                nodes.push(Node::Quote(self.assembled(group, depth + 1)))
            }
            QUOTE => self.add_quote(key as usize, group, depth, nodes),
            FIGURE => self.add_figure(group, depth, nodes),
            _ => self.add_list(group, depth, nodes),
        }
    }

    /// Adds a quotation, or only its content if the page uses it to indent that.
    fn add_quote(&mut self, row: usize, leaves: &mut [Leaf], depth: usize, nodes: &mut Vec<Node>) {
        let mut children = self.assembled(leaves, depth + 1);
        // Posts of other sites are quoted with a class, also if nothing but a link is left of them.
        let is_bare = self.page.value(row, attribute::CLASS).is_none();
        let is_link = |node: &Node| is_bare && self.is_link(node);
        if only_indents(self.page, row, &children) || (!children.is_empty() && children.iter().all(is_link)) {
            nodes.append(&mut children);
        } else {
            nodes.push(Node::Quote(children));
        }
    }

    /// Row of the container around a leaf at some depth.
    fn container_at(&self, leaf: &Leaf, depth: usize) -> usize {
        self.containers.rows(leaf.containers)[depth]
    }

    /// Row of the list, quote or figure around a leaf at some depth.
    fn group_at(&self, leaf: &Leaf, depth: usize) -> i32 {
        match self.containers.rows(leaf.containers).get(depth) {
            None => NOT_ENCLOSED,
            // The term of a definition list that is a callout.
            Some(&row) if self.containers.callouts.titles.contains(&row) => row as i32,
            Some(&row) if is_member(self.page, row as i32) => list_around(self.page, row),
            Some(&row) => row as i32,
        }
    }

    /// Adds a figure; without an image of its own it is only its content.
    fn add_figure(&mut self, leaves: &mut [Leaf], depth: usize, nodes: &mut Vec<Node>) {
        // Checked before assembling: doing that twice would double the work with every enclosing figure.
        let shows_image = |leaf: &Leaf| leaf.containers.range().len() == depth + 1 && self.shows_image(&leaf.node);
        if !leaves.iter().any(shows_image) {
            nodes.append(&mut self.assembled(leaves, depth + 1));
            return;
        }
        let mut taken = leaves.iter_mut().map(std::mem::take);
        let (mut captions, mut others): (Vec<Leaf>, Vec<Leaf>) = taken.by_ref().partition(|leaf| leaf.is_caption);
        let children = self.assembled(&mut others, depth + 1);
        let caption = self.assembled(&mut captions, depth + 1);
        nodes.push(Node::Figure { children, caption });
    }

    /// A callout: its title, which comes first, and the rest.
    fn callout(&mut self, kind: CalloutKind, leaves: &mut [Leaf], depth: usize) -> Node {
        let is_title = |leaf: &Leaf| {
            let row = self.containers.rows(leaf.containers).get(depth);
            let is_text = matches!(leaf.node, Node::Paragraph { .. } | Node::Heading { .. });
            is_text && row.is_some_and(|row| self.containers.callouts.titles.contains(row))
        };
        let length = leaves.iter().take_while(|leaf| is_title(leaf)).count();
        let (titles, rest) = leaves.split_at_mut(length);
        let title = self.assembled(titles, depth);
        Node::Callout { kind, title, children: self.assembled(rest, depth) }
    }

    /// Whether a node is a paragraph that is nothing but a link, which nobody has said.
    fn is_link(&self, node: &Node) -> bool {
        let is_linked = |span: &Span| span.kind == SpanKind::Text && span.marks.link != 0;
        let spans = match node {
            Node::Paragraph { spans, .. } => &self.spans[spans.range()],
            _ => return false,
        };
        let letters: usize = spans.iter().map(|span| span.text.range().len()).sum();
        letters <= LONGEST_LINK && spans.iter().all(is_linked)
    }

    /// Whether a node is a paragraph with an image.
    fn shows_image(&self, node: &Node) -> bool {
        match node {
            Node::Paragraph { spans, .. } => self.spans[spans.range()].iter().any(|span| span.kind == SpanKind::Image),
            _ => false,
        }
    }

    /// Whether a leaf is only the bullet or the number of its item, which the page writes as a block of its own.
    fn is_tag(&self, leaf: &Leaf, item: usize) -> bool {
        let spans = match &leaf.node {
            Node::Paragraph { spans, .. } if spans.range().len() == 1 => spans.range(),
            _ => return false,
        };
        let text = self.text.get(self.spans[spans.start].text.range()).unwrap_or("");
        let is_number = || {
            let digits = text.trim_matches(['(', ')', '.'].as_slice());
            digits.len() < text.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let parent = self.page.parent[item];
        let is_ordered = parent >= 0 && self.page.tag[parent as usize] == ORDERED;
        BULLETS.contains(&text) || (is_ordered && is_number())
    }

    /// Whether a node has nothing but images.
    fn is_picture(&self, node: &Node) -> bool {
        match node {
            Node::Paragraph { spans, .. } => self.spans[spans.range()].iter().all(|span| span.kind == SpanKind::Image),
            Node::Figure { children, caption } => {
                caption.is_empty() && children.iter().all(|child| self.is_picture(child))
            }
            _ => false,
        }
    }

    /// Adds the list that some leaves are in; a slideshow, with nothing but a picture in each item, is only its pictures.
    fn add_list(&mut self, leaves: &mut [Leaf], depth: usize, nodes: &mut Vec<Node>) {
        let mut members = Vec::new();
        let mut rest = leaves;
        while let Some(first) = rest.first() {
            let row = self.container_at(first, depth);
            let length = length_of_group(rest, &row, |leaf| self.container_at(leaf, depth));
            let (group, after) = std::mem::take(&mut rest).split_at_mut(length);
            let written = usize::from(group.len() > 1 && self.is_tag(&group[0], row));
            members.push((row, self.assembled(&mut group[written..], depth + 1)));
            rest = after;
        }
        if members.iter().flat_map(|(_, children)| children).all(|node| self.is_picture(node)) {
            nodes.extend(members.into_iter().flat_map(|(_, children)| children));
            return;
        }
        nodes.push(list_of(self.page, members, self.numbers));
    }
}
