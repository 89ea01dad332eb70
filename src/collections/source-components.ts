/** Where growth has to begin so that all of a graph is reached. */
import { NONE } from "./web-graph.js";

interface Graph {
  readonly offsets: Uint32Array;
  readonly target: Uint32Array;
}

/**
 * The strongly connected components of a graph that no other component leads to: from one position of each, and from
 * nothing fewer, everything can be reached. Tarjan's algorithm (1972) with a stack of its own, since a collection can be
 * a chain of a million pages. Several disjoint parts of a graph can be searched one after the other.
 */
export class SourceComponents {
  /** When a position was first visited; 0 never. */
  readonly #visited: Uint32Array;
  /** The earliest visited position that can be reached and is still open. */
  readonly #low: Uint32Array;
  /** NONE while open. */
  readonly #component: Uint32Array;
  readonly #resume: Uint32Array;
  #visits = 0;

  constructor(positions: number) {
    this.#visited = new Uint32Array(positions);
    this.#low = new Uint32Array(positions);
    this.#component = new Uint32Array(positions).fill(NONE);
    this.#resume = new Uint32Array(positions);
  }

  /** Calls `visit` for every position of a source component, with the component's number. */
  search(
    positions: Uint32Array,
    graph: Graph,
    isEdge: (edge: number) => boolean,
    visit: (position: number, component: number) => void,
  ): void {
    const components = this.#findComponents(positions, graph, isEdge);
    const isEntered = new Uint8Array(components);
    const component = this.#component;
    for (const position of positions) {
      for (let edge = graph.offsets[position]!; edge < graph.offsets[position + 1]!; edge++) {
        if (!isEdge(edge)) continue;
        const other = component[graph.target[edge]!]!;
        if (other !== component[position]) isEntered[other] = 1;
      }
    }
    for (const position of positions) {
      if (isEntered[component[position]!] === 0) visit(position, component[position]!);
    }
  }

  #findComponents(positions: Uint32Array, graph: Graph, isEdge: (edge: number) => boolean): number {
    const { offsets, target } = graph;
    const visited = this.#visited;
    const low = this.#low;
    const component = this.#component;
    const resume = this.#resume;
    const path: number[] = [];
    const open: number[] = [];
    let components = 0;
    const enter = (position: number) => {
      visited[position] = low[position] = ++this.#visits;
      resume[position] = offsets[position]!;
      path.push(position);
      open.push(position);
    };
    for (const start of positions) {
      if (visited[start] !== 0) continue;
      enter(start);
      while (path.length > 0) {
        const position = path[path.length - 1]!;
        const edge = resume[position]!;
        if (edge < offsets[position + 1]!) {
          resume[position] = edge + 1;
          if (!isEdge(edge)) continue;
          const to = target[edge]!;
          if (visited[to] === 0) enter(to);
          else if (component[to] === NONE && visited[to]! < low[position]!) low[position] = visited[to]!;
          continue;
        }
        path.pop();
        if (path.length > 0) {
          const above = path[path.length - 1]!;
          if (low[position]! < low[above]!) low[above] = low[position]!;
        }
        if (low[position] !== visited[position]) continue;
        for (;;) {
          const member = open.pop()!;
          component[member] = components;
          if (member === position) break;
        }
        components++;
      }
    }
    return components;
  }
}
