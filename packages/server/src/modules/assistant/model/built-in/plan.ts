import { type EntityInfo, readBlueprints, type ScorecardInfo } from './catalog.ts';
import { type Earlier, type FollowUp, resolveFollowUp } from './follow-up.ts';
import { createGrammar, type Grammar } from './grammar.ts';
import { lookUp } from './look-up.ts';
import { parse, wordsMax } from './parse.ts';
import { planHelp, planTypes, planWhoAmI } from './plan-about.ts';
import { planAction } from './plan-action.ts';
import { type Answer, CannotAnswer, missing, type OfferedTools, type Plan, refused } from './plan-steps.ts';
import { namesIn } from './query.ts';
import { parseQuestion } from './question.ts';
import { askForReading, explainFailure } from './refuse.ts';
import { type Ready, resolveReadings } from './resolve.ts';
import { runQuery } from './run-query.ts';
import { createSchema, type Schema } from './schema.ts';
import { callTool } from './search-page.ts';

/** What a reading may have assumed, and how much the next one must have assumed more. */
const costMax = 0.1;
const apart = 0.045;

/**
 * The plan for a question; uses only offered tools. `today` is a day as `2026-03-02`, UTC; `earlier` is what a question of
 * a conversation can point back at.
 */
export function* planAnswer(text: string, offered: OfferedTools, today: string, earlier?: Earlier): Plan {
  try {
    return yield* plan(text, offered, today, earlier);
  } catch (error) {
    if (error instanceof CannotAnswer) return refused(error.message);
    throw error;
  }
}

function* plan(text: string, offered: OfferedTools, today: string, earlier: Earlier | undefined): Plan {
  const intent = parseQuestion(text);
  switch (intent.kind) {
    case 'help':
      return yield* planHelp(offered);
    case 'who-am-i':
      return yield* planWhoAmI(offered);
    case 'list-blueprints':
      return yield* planTypes(offered);
    case 'action':
      return yield* planAction(intent, offered);
    default:
      return yield* planQuestion(text, offered, today, earlier);
  }
}

function* planQuestion(asked: string, offered: OfferedTools, today: string, earlier: Earlier | undefined): Plan {
  if (!offered.has('list_blueprints')) throw new CannotAnswer(missing('list_blueprints'));
  const blueprints = readBlueprints(yield* callTool('list_blueprints', {}, offered));
  const known = createSchema(blueprints);
  const followUp: FollowUp = earlier ? resolveFollowUp(asked, earlier, known) : { kind: 'plain', text: asked };
  if (followUp.kind === 'cannot') return refused(followUp.reason);
  const { text } = followUp;
  const plain = createGrammar(text, known, today);
  const looked = new LookedUp();
  const first = narrow(yield* understand(plain, offered, looked), followUp);
  if (first.answer) return yield* finish(first, plain.schema, offered);
  // levels and rules are words too, which most questions do not need
  const scorecards = yield* readScorecards(plain, offered);
  if (scorecards.length === 0) return yield* finish(first, plain.schema, offered);
  const schema = createSchema(blueprints, scorecards);
  const again = createGrammar(text, schema, today);
  return yield* finish(narrow(yield* understand(again, offered, looked), followUp), schema, offered);
}

/** The understood query over what the last answer named, if the question says so. */
function narrow(understood: Understanding, followUp: FollowUp): Understanding {
  const { answer } = understood;
  if (followUp.kind !== 'scoped' || !answer) return understood;
  const { query } = answer;
  if (!('where' in query) || query.of !== followUp.of) {
    const refusal = refused('I can list, count, group or rank those that the answer before named, and not more.');
    return { answer: undefined, refusal };
  }
  return { ...understood, answer: { ...answer, query: { ...query, where: [followUp.scope, ...query.where] } } };
}

/** Names that were looked up, and what was found. */
class LookedUp {
  readonly texts = new Set<string>();
  readonly found: EntityInfo[] = [];
}

interface Understanding {
  readonly answer: Ready | undefined;
  readonly refusal: Answer;
}

/**
 * All readings with their names looked up; the one that is best by far is the answer. If the words of the schema alone
 * give a reading, no name is looked for: what somebody calls an entity does not change what a question means.
 */
function* understand(grammar: Grammar, offered: OfferedTools, looked: LookedUp): Plan<Understanding> {
  const readings = parse(grammar);
  const plain = readings.filter(({ query, cost }) => cost <= costMax && namesIn(query).length === 0);
  const names = plain.length > 0 ? [] : readings.flatMap(({ query }) => namesIn(query));
  const open = names.filter(({ text }) => !looked.texts.has(text));
  looked.found.push(...(yield* lookUp(open, offered)));
  for (const { text } of open) looked.texts.add(text);
  const resolved = resolveReadings(plain.length > 0 ? plain : readings, looked.found, grammar.schema);
  const good = resolved.ready.filter(({ cost }) => cost <= costMax);
  const [best] = good;
  const rivals = good.filter(({ cost }) => best !== undefined && cost - best.cost < apart);
  if (best && rivals.length === 1) return { answer: best, refusal: refused('') };
  const isLong = grammar.words.length > wordsMax;
  const refusal = rivals.length > 1 ? askForReading(rivals, grammar.schema) : explainFailure(grammar, resolved, isLong);
  return { answer: undefined, refusal };
}

function* finish({ answer, refusal }: Understanding, schema: Schema, offered: OfferedTools): Plan {
  return answer ? yield* runQuery(answer.query, schema, offered) : refusal;
}

const ruleWords = /\b(fail|fails|failing|pass|passes|passing|violate|meet|fulfil|break)\b/i;
const scorecardsMax = 4;

/** The scorecards with their levels, and with their rules if the question asks what passes or fails. */
function* readScorecards({ words }: Grammar, offered: OfferedTools): Plan<ScorecardInfo[]> {
  if (!offered.has('list_scorecards')) return [];
  const content = (yield* callTool('list_scorecards', {}, offered)) as { scorecards?: unknown } | null;
  const all = (Array.isArray(content?.scorecards) ? content.scorecards : []) as (ScorecardInfo & { rules?: unknown })[];
  const short = all.map((each): ScorecardInfo => ({ ...each, rules: [] }));
  const asksForRules = words.some(({ lower }) => ruleWords.test(lower));
  if (!asksForRules || !offered.has('get_scorecard') || short.length > scorecardsMax) return short;
  const whole: ScorecardInfo[] = [];
  for (const each of short) {
    const args = { blueprint: each.blueprint ?? '', identifier: each.identifier };
    const answer = (yield* callTool('get_scorecard', args, offered)) as { scorecard?: ScorecardInfo } | null;
    whole.push({ ...each, rules: answer?.scorecard?.rules ?? [] });
  }
  return whole;
}
