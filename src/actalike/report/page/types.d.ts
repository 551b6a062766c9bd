// The data that Python sends, and what a reader decides, as types. `make check` holds the scripts against them (tsc --noEmit); nothing of
// this is part of a page. `page.data` is described here as Python writes it (report/report_data.py, report/matching_report.py).

// --- Sentences and labels.

/** A sentence in parts: words, the number of a label, or another text of the log (support/text.py, json_parts). */
type Parts = (string | { label: number; text?: undefined } | { label?: undefined; text: string })[];
type Relation = "synonyms" | "alternatives" | "belong together" | "same name" | "too rare to judge";

interface PackedLabels {
  labels: string[]; // the most frequent first
  names: (string | null)[] | null; // second names
  spaced: [number, string][]; // labels that differ from others in spaces only, with signs for these
  reading: { facts: [string, string][]; remarks: string[] } | null; // how the log was read
}

interface Facts {
  cases: number;
  events: number;
  activities: number;
  glance: [string, string, string][]; // terms, values, remarks
}

interface Follows<Numbers, Counts> {
  first: Numbers;
  second: Numbers;
  counts: Counts;
  starts: number[];
  ends: number[];
}
type PackedFollows = Follows<string, string>;
type UnpackedFollows = Follows<Uint16Array, Uint32Array>;

interface LeftOut {
  activities: number;
  events: number;
}

// --- The report of a log.

/** A reason: its log-odds, and the number of its sentence. */
type PackedReason = [number, number];
type Line = ["+" | "-", number];
/** A context: the number of its sentence, and in which shares of events it is. */
type Context = [number, string];

interface PackedGroup {
  members: number[];
  name: string;
  relation: Relation;
  probability: number;
  overlap: number;
  pattern: string | null;
  shown: Line[];
  more: Line[];
  evidence: Context[];
  reasons: PackedReason[];
  together: string;
}

interface PackedTimeline {
  unit: "hour" | "day" | "week" | "month" | "quarter" | "year";
  starts: string[];
  words: string[];
  counts: string;
  undated: number[];
}

/** Lower quartile, median and upper quartile in seconds, and in words. */
type Gaps = [number, number, number, string, string, string];
/** A case: its id, a moment, how many events come before and after, labels (null: events left out), and which are marked. */
type Example = [string, string | null, number, number, (number | null)[], number[]];

interface PackedUses {
  previous: (Gaps | null)[];
  next: (Gaps | null)[];
  periods: ([string, string, string, string] | null)[] | null;
  together: string;
  exact: number[][];
  people: { name: string; values: string[]; labels: number[][] }[] | null;
  examples: Example[][] | null;
  examples_together: [number, number, Example[]][] | null;
}

interface PackedPlace {
  position: number;
  kind: number;
  sentence: number;
  score: number;
  probability: number;
  times: number;
  total: number;
  tag: Parts;
  events?: number[];
  missing?: number[];
  belongs?: number | null;
  attribute?: string | null;
  value?: string | null;
}

interface PackedOddCase<Place> {
  ids: string[];
  number: number;
  length: number;
  title: Parts;
  rest: Parts;
  note: string;
  whole: boolean;
  events: [number, number[]][];
  places: Place[];
}

interface PackedOdd {
  guide: string;
  kinds?: [string, string][];
  sentences?: Parts[];
  found: { places: number; kinds: Record<string, number> };
  cases: PackedOddCase<PackedPlace>[];
}

/** What stays on a page as Python has sent it. */
interface ReportFacts extends PackedLabels {
  title: string;
  palette: Record<"light" | "dark", string[]>;
  method: string;
  facts: Facts;
  hidden: string[];
  further: string[];
  counts: number[];
  cases: number[];
  places: number[];
  neighbours: [number, number, (number | null)?, (number | null)?][][];
  sentences: Parts[];
  quiet_sentences: number[];
  verdicts: Record<Relation | "pair" | "overlap", string>;
  compared: Record<string, string>;
  words: { holds: string; left_out: string; intervals: string };
  at_least: number;
  thin_cases: number;
  positions: [number, number][]; // median and mean
  left_out?: LeftOut;
  digest: string;
  decisions: DecisionsFile | null;
  relabelling: { words: string; command: string };
}

/** One side of a change of the process: figures of the same activities. */
interface PackedChangeSide {
  period: string;
  facts: { cases: number; activities: number };
  counts: number[];
  cases: number[];
  follows: PackedFollows;
}

interface PackedReport extends ReportFacts {
  changes: { shown: { at: string; title: string; words: string[]; sides: PackedChangeSide[] }[]; further: number } | null;
  probability: string;
  overlap: string;
  pairs: [number, number, number, Context[], [number, number][], PackedReason[]][];
  groups: PackedGroup[];
  follows: PackedFollows;
  timeline: PackedTimeline | null;
  uses: PackedUses;
  odd: PackedOdd | null;
}

interface Reason {
  logOdds: number;
  sentence: number;
}
interface ProposedGroup extends Omit<PackedGroup, "reasons"> {
  reasons: Reason[];
}

// --- Decisions (docs/file_formats.md, labels/decisions.py).

type Decision = "accepted" | "rejected" | "undecided";
type DecidedBy = "person" | "actalike";

interface StoredGroup {
  number: number;
  decision: Decision;
  by: DecidedBy;
  name: string;
  activities: string[];
  note: string;
  proposed: string[] | null;
}

interface StoredPair {
  decision: Decision;
  by: DecidedBy;
  a: string | null;
  b: string | null;
  note: string;
}

interface DecisionsFile {
  format: string;
  version: number;
  logs: { digest: string; name: string; activities: number }[];
  note: string;
  at_least: number;
  groups: StoredGroup[];
  pairs: StoredPair[];
  splits: object[];
}

/** A group of a state; `id` is its number less one, `proposal` its place among the proposals of the page. */
interface DecidedGroup {
  id: number;
  members: string[];
  name: string | null;
  decision: Decision;
  by: DecidedBy;
  note: string;
  proposed: string[] | null;
  proposal: number | null;
}

interface State {
  atLeast: number;
  note: string;
  splits: object[];
  groups: DecidedGroup[];
}

/** What a file says: of one log groups, of two logs links. */
interface Decided {
  logs: { digest: string; name: string; activities: number }[];
  note: string;
  atLeast: number;
  groups: Omit<DecidedGroup, "proposal">[];
  links: StoredPair[];
  splits: object[];
}

interface Proposal {
  members: string[];
  name: string;
  probability: number;
}

/** A group as the report shows it. */
interface ShownGroup extends Omit<ProposedGroup, "members" | "relation"> {
  relation: Relation | "made by hand" | "proposed before";
  proposal: ProposedGroup | null;
  decided: DecidedGroup;
  id: number;
  number: number;
  colour: string;
  members: number[];
  hidden: string[];
  unknown: string[];
}

interface ReportPage {
  data: import("./report/data.js").ReportData;
  choices: import("./report/choices.js").Choices;
  filter: import("./shared/controls.js").FrequencyFilter;
  wanted: string; // what was typed to find an activity to compare with
}

// --- The page of two logs.

interface PackedSide extends PackedLabels {
  title: string;
  digest: string;
  facts: Facts;
  counts: number[];
  cases: number[];
  positions: number[];
  left_out?: LeftOut;
}

interface TwoLogsFacts {
  title: string;
  candidates: [number, number][][][];
  splits: [0 | 1, number, number[], number][];
  drift: {
    judged: number;
    number: number;
    pairs: number;
    changed: [number, number, number, number, Neighbour[], Neighbour[]][];
    marked: [number, number][][];
  } | null;
  use_labels: boolean;
  at_least: number;
  least: number;
  sure: number;
  thin_cases: number;
  decisions: DecisionsFile | null;
  relabelling: { words: string; command: string };
}
/** A neighbour that came or went: its offset, side and number, and its shares before and after. */
type Neighbour = [number, 0 | 1, number, number, number];

interface PackedTwoLogs extends TwoLogsFacts {
  logs: (PackedSide & { follows: PackedFollows })[];
  reasons: [number, number, ["+" | "-", string][]][];
  alone: [number, number][][];
  pairs: [number, number, number][];
  known: [number, number][];
}

interface LinkProposal {
  a: string;
  b: string;
  i: number;
  j: number;
  probability: number;
  split: 0 | 1 | null;
}

interface LinkState {
  atLeast: number;
  note: string;
  links: StoredPair[];
}

interface NumberedLink {
  link: StoredPair;
  i: number;
  j: number;
  probability: number | null;
}

/** Labels that are the same step, or may be. */
interface Step {
  key: string;
  a: number[];
  b: number[];
  links: NumberedLink[];
  decision: Decision;
  probability: number | null;
}

interface TwoLogPage {
  data: import("./two_logs/data.js").TwoLogs;
  choices: import("./two_logs/choices.js").TwoLogChoices;
  filter: import("./shared/controls.js").FrequencyFilter;
}

// --- Flows.

interface FlowNode {
  label: string;
  second?: string | null;
  end?: "start" | "end";
  position: number;
  [more: string]: any;
}
interface FlowEdge {
  from: number;
  to: number;
  count: number;
  [more: string]: any;
}
interface FlowGraph {
  nodes: FlowNode[];
  edges: FlowEdge[];
  steps: number;
}
