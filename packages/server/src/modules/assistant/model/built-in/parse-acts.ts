import { nameEnds, objectType, subjectType, verbsAt } from './edges.ts';
import { type Grammar, namesAt, phrases } from './grammar.ts';
import { parseConditions, parseThings } from './parse-conditions.ts';
import { endsAt } from './parse-ends.ts';
import type { NameRef, Reading, Step, TypedStep } from './query.ts';
import { closureWords } from './vocabulary.ts';

/** What entities do to each other, asked with a verb: "which services does X use", "what depends on X". */
export function parseActs(grammar: Grammar, at: number): Reading[] {
  return [
    ...parseDoes(grammar, at),
    ...parseWhatDoes(grammar, at),
    ...parseWhat(grammar, at),
    ...parseNouns(grammar, at),
  ];
}

const doers = ['does', 'do', 'did', 'is', 'are', 'has', 'have'];

/** "which services does X use", "how many services does the X team own", "which incidents did X have last month". */
function parseDoes(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const asks = [
    ['list', ['which', 'what', 'show', 'list', 'which of the']],
    ['count', ['how many', 'how many of the']],
  ] as const;
  for (const [ask, starts] of asks) {
    for (const start of phrases(grammar, at, starts)) {
      for (const { value: things, end, cost } of parseThings(grammar, start)) {
        const of = things.type.id;
        for (const verb of phrases(grammar, end, doers)) {
          for (const name of namesAt(grammar, verb, grammar.words.length)) {
            const add = (last: number, condition: (typeof things.where)[number], extra: number): void => {
              for (const more of parseConditions(grammar, things.type, last)) {
                if (!endsAt(grammar, more.end)) continue;
                const where = [...things.where, condition, ...more.value];
                found.push({ query: { ask, of, where }, cost: cost + name.cost + extra + more.cost });
              }
            };
            for (const last of phrases(grammar, name.end, ['own', 'maintain', 'have ownership of', 'look after'])) {
              if (typesAllow(name.value, '_team'))
                add(last, { kind: 'owned', team: { ...name.value, types: ['_team'] } }, 0);
            }
            for (const last of phrases(grammar, name.end, ['have', 'had']))
              add(last, { kind: 'linked', name: name.value }, 0);
            for (const { steps, end: last, cost: extra } of actsOf(grammar, name.value, name.end)) {
              for (const { type, step, to } of steps) {
                if (type !== of || !typesAllow(name.value, to)) continue;
                const narrowed = { ...name.value, types: [to] };
                for (const closed of phrases(grammar, last, closureWords))
                  add(closed, { kind: 'step', step, name: narrowed, isClosure: true }, extra);
                for (const closed of phrases(grammar, last, ['directly', '']))
                  add(closed, { kind: 'step', step, name: narrowed, isClosure: false }, extra);
              }
            }
          }
        }
      }
    }
  }
  return found;
}

interface Act {
  readonly steps: readonly (TypedStep & { readonly to: string })[];
  readonly end: number;
  readonly cost: number;
}

/** What is sought if the named entity is the subject of the verb that stands behind it. */
function actsOf({ edges, words }: Grammar, _name: NameRef, at: number): Act[] {
  const found: Act[] = [];
  for (const { edge, end, cost } of verbsAt(edges, words, at, 'active')) {
    found.push({
      steps: [toStep(edge, objectType(edge), subjectType(edge), edge.subject === 'source' ? 'back' : 'forth')],
      end,
      cost,
    });
  }
  for (const { edge, end, cost } of verbsAt(edges, words, at, 'passive')) {
    found.push({
      steps: [toStep(edge, subjectType(edge), objectType(edge), edge.subject === 'source' ? 'forth' : 'back')],
      end,
      cost,
    });
  }
  for (const edge of edges) {
    for (const end of nameEnds(edge, words, at))
      found.push({ steps: [toStep(edge, edge.target, edge.source, 'back')], end, cost: 0 });
  }
  return found;
}

function toStep({ relation, title }: { relation: string; title: string }, type: string, to: string, way: Step['way']) {
  return { type, to, step: { relation, title, way } };
}

function typesAllow({ types }: NameRef, type: string): boolean {
  return types === undefined || types.includes(type);
}

const closureStarts = [
  'everything that',
  'everything',
  'show everything that',
  'show everything',
  'list everything that',
  'list everything',
  'show me everything that',
  'show me everything',
  'all that',
  'what all',
];

/** "what does X depend on", "what is X used by", "everything that X depends on". */
function parseWhatDoes(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const whats = ['what does', 'what do', 'what did', 'what is', 'what are', 'what all does', 'what was'];
  for (const [starts, isWhole] of [
    [whats, false],
    [closureStarts, true],
  ] as const) {
    for (const start of new Set(phrases(grammar, at, starts))) {
      for (const name of namesAt(grammar, start, grammar.words.length)) {
        for (const last of phrases(grammar, name.end, ['own', 'owns', 'maintain'])) {
          if (endsAt(grammar, last) && typesAllow(name.value, '_team') && !isWhole) {
            for (const type of ownable(grammar)) {
              const where = [{ kind: 'owned', team: { ...name.value, types: ['_team'] } } as const];
              found.push({ query: { ask: 'list', of: type, where }, cost: name.cost });
            }
          }
        }
        for (const verb of phrases(grammar, name.end, ['', 'is', 'is also', 'directly'])) {
          found.push(...collect(grammar, name.value, actsOf(grammar, name.value, verb), isWhole, name.cost));
        }
      }
    }
  }
  return found;
}

/** "what does the X team own" is asked of the one type that teams mainly own, if it is alone. */
function ownable({ schema }: Grammar): string[] {
  const types = schema.types.filter(({ id }) => !id.startsWith('_')).map(({ id }) => id);
  return types.length === 1 ? types : [];
}

/** "what depends on X", "everything that uses X", "who calls X". */
function parseWhat(grammar: Grammar, at: number): Reading[] {
  const { edges, words } = grammar;
  const found: Reading[] = [];
  for (const [starts, isWhole] of [
    [['what', 'who', 'what else', 'which things'], false],
    [closureStarts, true],
  ] as const) {
    for (const start of new Set(phrases(grammar, at, starts))) {
      for (const verb of phrases(grammar, start, ['', 'is', 'directly', 'are'])) {
        const acts = [
          ...verbsAt(edges, words, verb, 'active').map(({ edge, end, cost }) => ({
            steps: [toStep(edge, subjectType(edge), objectType(edge), edge.subject === 'source' ? 'forth' : 'back')],
            end,
            cost,
          })),
          ...verbsAt(edges, words, verb, 'passive').map(({ edge, end, cost }) => ({
            steps: [toStep(edge, objectType(edge), subjectType(edge), edge.subject === 'source' ? 'back' : 'forth')],
            end,
            cost,
          })),
        ];
        for (const end of new Set(acts.map((act) => act.end))) {
          for (const name of namesAt(grammar, end, words.length)) {
            const fitting = acts.filter((act) => act.end === end).map((act) => ({ ...act, end: name.end }));
            found.push(...collect(grammar, name.value, fitting, isWhole, name.cost));
          }
        }
      }
    }
  }
  return found;
}

/** "dependencies of X", "dependents of X", "consumers of X". */
function parseNouns(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const nouns = [
    [['dependencies of', 'direct dependencies of'], 'back'],
    [['dependents of', 'consumers of', 'users of', 'direct dependents of'], 'forth'],
  ] as const;
  const starts = [
    '',
    'the',
    'show the',
    'show',
    'show me the',
    'list the',
    'list',
    'what are the',
    'which are the',
    'all',
    'show all',
    'list all',
  ];
  const edges = grammar.edges.filter(
    ({ verb, subject }) => subject === 'source' && /^(depend|rel[iy]|use|need|require)/.test(verb[0] ?? ''),
  );
  for (const start of new Set(phrases(grammar, at, starts))) {
    for (const [words, way] of nouns) {
      for (const after of phrases(grammar, start, words)) {
        for (const name of namesAt(grammar, after, grammar.words.length)) {
          const steps = edges.map((edge) =>
            way === 'back'
              ? toStep(edge, edge.target, edge.source, 'back')
              : toStep(edge, edge.source, edge.target, 'forth'),
          );
          const acts = steps.map((step) => ({ steps: [step], end: name.end, cost: 0 }));
          found.push(...collect(grammar, name.value, acts, false, name.cost));
        }
      }
    }
  }
  return found;
}

/** One reading for each type that the entity may be of, with all steps that fit it. */
function collect(grammar: Grammar, name: NameRef, acts: readonly Act[], isWhole: boolean, cost: number): Reading[] {
  const found: Reading[] = [];
  const hasOwn = (type: string): boolean =>
    acts.some((act) => act.cost === 0 && act.steps.some(({ to }) => to === type));
  for (const act of acts) {
    const endings = [
      ...phrases(grammar, act.end, closureWords).map((end) => [end, true] as const),
      ...phrases(grammar, act.end, ['directly', '']).map((end) => [end, isWhole] as const),
    ];
    for (const [end, isClosure] of endings) {
      if (!endsAt(grammar, end)) continue;
      for (const { type, step, to } of act.steps) {
        if (!typesAllow(name, to) || (act.cost > 0 && hasOwn(to))) continue;
        const query = { ask: 'linked', name: { ...name, types: [to] }, steps: [{ type, step }], isClosure } as const;
        found.push({ query, cost: cost + act.cost });
      }
    }
  }
  return found;
}
