// The trees that pictures and tables are made of. Plain typed arrays: a million nodes are usual.

// Positions (function and line) as recorded, with the values of one metric in one scope. A row's
// parent has a smaller number, and its subtree is the rows that follow it.
export interface CallTree {
  readonly count: number;
  readonly parent: Int32Array; // -1: a root
  readonly function: Uint32Array;
  readonly line: Uint32Array;
  readonly self: Float64Array;
  readonly total: Float64Array; // self and all below
  readonly end: Uint32Array; // the row after the subtree
  readonly whole: number; // the sum of all self values
}

// Boxes of a picture: positions merged into functions, in the order in which they are drawn.
// Level by level, so that each level is sorted from left to right.
export interface FrameTree {
  readonly count: number;
  readonly parent: Int32Array; // -1: a root
  readonly function: Uint32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly left: Float64Array; // 0 at the left edge, in units of the metric (seconds in time order)
  readonly right: Float64Array;
  readonly levels: Uint32Array; // rows of level d: levels[d] up to levels[d + 1]
  readonly whole: number; // width of everything
}

export interface CallGraphNode {
  readonly function: number;
  readonly self: number;
  readonly total: number;
  readonly calls: number;
}

export interface CallGraphEdge {
  readonly caller: number; // positions in `nodes`
  readonly callee: number;
  readonly total: number;
  readonly calls: number;
}

export interface CallGraph {
  readonly nodes: readonly CallGraphNode[];
  readonly edges: readonly CallGraphEdge[];
  readonly whole: number;
  readonly hiddenNodes: number;
  readonly hiddenEdges: number;
}

// What becomes of frames before they are drawn.
export interface FrameOptions {
  readonly collapseRecursion: boolean;
  readonly ownCodeOnly: boolean; // frames of libraries are folded into their callers
  readonly hiddenModules: readonly string[];
  readonly root: number | null; // only what is below this function
  readonly cutoff: number; // frames below this share of their parent are left out; 0: none
}
