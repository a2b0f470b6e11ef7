import { nameEnds, objectType, subjectType, verbsAt } from './edges.ts';
import { type Conditions, type Grammar, namesAt, phrases } from './grammar.ts';
import type { TypeInfo } from './schema.ts';
import { closureWords } from './vocabulary.ts';

const ownedBy = ['owned by', 'maintained by', 'run by', 'belonging to', 'of', 'from', 'by'];

export function parseOwners(grammar: Grammar, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const end of phrases(grammar, at, [
    'owned by me',
    'owned by my team',
    'owned by my teams',
    'owned by us',
    'of my team',
    'of my teams',
  ])) {
    found.push({ value: [{ kind: 'owned', team: 'caller' }], end, cost: 0 });
  }
  for (const start of phrases(grammar, at, ownedBy)) {
    const isPlain = grammar.words[start - 1]?.lower === 'by' && start > at + 1;
    for (const name of namesAt(grammar, start, grammar.words.length, ['_team'])) {
      // "of X" alone may mean any link; "of the X team" is a team
      const isSaid =
        isPlain || grammar.words[name.end - 1]?.stem === 'team' || grammar.words[name.end - 1]?.lower === 'squad';
      if (isSaid) found.push({ value: [{ kind: 'owned', team: name.value }], end: name.end, cost: name.cost });
    }
  }
  return found;
}

/** A relation by its verb: "that depend on X", "used by X", "caused by X", "in which X is Y". */
export function parseVerbs(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const { edges, words } = grammar;
  const found: Conditions[] = [];
  const seen = new Set<string>();
  const add = (
    relation: string,
    title: string,
    way: 'forth' | 'back',
    other: string,
    start: number,
    cost: number,
  ): void => {
    for (const { value: name, end, cost: extra } of namesAt(grammar, start, words.length, [other])) {
      const closures = phrases(grammar, end, closureWords).map((closed) => [closed, true] as const);
      const directs = phrases(grammar, end, ['directly', '']).map((closed) => [closed, false] as const);
      for (const [closed, isClosure] of [...closures, ...directs]) {
        const key = [relation, way, other, name.text, name.types, closed, isClosure].join('|');
        if (seen.has(key)) continue;
        seen.add(key);
        found.push({
          value: [{ kind: 'step', step: { relation, title, way }, name, isClosure }],
          end: closed,
          cost: cost + extra,
        });
      }
    }
  };
  for (const start of phrases(grammar, at, ['', 'directly', 'also'])) {
    for (const { edge, end, cost } of verbsAt(edges, words, start, 'active')) {
      if (subjectType(edge) === type.id)
        add(edge.relation, edge.title, edge.subject === 'source' ? 'forth' : 'back', objectType(edge), end, cost);
    }
    for (const { edge, end, cost } of verbsAt(edges, words, start, 'passive')) {
      if (objectType(edge) === type.id)
        add(edge.relation, edge.title, edge.subject === 'source' ? 'back' : 'forth', subjectType(edge), end, cost);
    }
    for (const lead of phrases(grammar, start, ['', 'with', 'whose'])) {
      for (const edge of edges) {
        if (edge.source !== type.id) continue;
        for (const end of nameEnds(edge, words, lead)) {
          for (const after of phrases(grammar, end, ['', 'is', 'by']))
            add(edge.relation, edge.title, 'forth', edge.target, after, 0);
        }
      }
    }
  }
  return found;
}

const links = [
  'of',
  'in',
  'for',
  'from',
  'on',
  'to',
  'at',
  'belonging to',
  'part of',
  'belong to',
  'belongs to',
  'related to',
  'about',
  'into',
  'in the',
];

export function parseLinks(grammar: Grammar, at: number): Conditions[] {
  const leads = new Set(phrases(grammar, at, links));
  return [...leads].flatMap((start) =>
    namesAt(grammar, start, grammar.words.length).map(
      ({ value, end, cost }): Conditions => ({ value: [{ kind: 'linked', name: value }], end, cost }),
    ),
  );
}
