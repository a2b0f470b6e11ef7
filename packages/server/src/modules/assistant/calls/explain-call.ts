import { anybody, outside, parseAuthor, parseSource, type TextAuthor } from '../../../platform/text-authors.ts';
import type { CallFacts } from '../../../platform/tools/call-decision.ts';
import type { LapsedApproval } from '../standing/cover-call.ts';
import type { RuleDecision } from './decide-call.ts';

/** The reason why a call does not run at once, as a sentence without its end. */
export function explainCall(
  decided: RuleDecision,
  facts: Pick<CallFacts, 'kind' | 'hold'>,
  places: ReadonlyMap<TextAuthor, string>,
): string {
  const why = explainRule(decided, facts, places);
  return decided.lapsed ? `${explainLapse(decided.lapsed)}. ${why}` : why;
}

/** Why an approval that was given for such calls did not let this one run. */
function explainLapse({ approval, because }: LapsedApproval): string {
  const name = `The standing approval by "${approval.givenBy}"`;
  switch (because) {
    case 'revoked':
      return `${name} was revoked`;
    case 'expired':
      return `${name} has expired`;
    case 'action-changed':
      return `${name} ended because the action was changed after it`;
    case 'agent-changed':
      return `${name} ended because the agent was changed after it`;
    case 'giver':
      return `${name} does not hold, because its giver may not run and approve this call now`;
    case 'used-up':
      return `${name} is used up: it allows ${approval.maxPerHour} run${approval.maxPerHour === 1 ? '' : 's'} in an hour`;
  }
}

function explainRule(
  { rule, blockedBy, carriers = [] }: RuleDecision,
  { kind, hold }: Pick<CallFacts, 'kind' | 'hold'>,
  places: ReadonlyMap<TextAuthor, string>,
): string {
  switch (rule) {
    case 'manual':
      return 'Runs are approved by a person here';
    case 'never':
      return 'An administrator wants a person to decide on every run of it';
    case 'held':
      return hold ?? 'It waits for a person';
    case 'egress':
      return `Records were read before this call, and what it sends to another server stands neither in your question nor in that server's own answers (${nameCarriers(carriers)})`;
    case 'strict':
      return kind === 'connected'
        ? 'It may change something on another server, and your question did not ask for it in so many words'
        : 'It runs by itself only if it is asked for, with its inputs, in so many words';
    default:
      return `Text from ${nameBlocking(blockedBy, places)} was read before this call, and your question did not ask for it`;
  }
}

function nameCarriers(carriers: readonly string[]): string {
  const [first, ...more] = carriers.slice(0, 5).map((key) => key.slice(0, 100));
  return [`argument${carriers.length > 1 ? 's' : ''} ${first ?? ''}`, ...more].join(', ');
}

/** The most telling author: outside first, because there is nobody to ask. */
function nameBlocking(blockedBy: readonly TextAuthor[], places: ReadonlyMap<TextAuthor, string>): string {
  const author = [outside, anybody].find((each) => blockedBy.includes(each)) ?? blockedBy[0] ?? outside;
  const where = places.get(author);
  const who = parseAuthor(author);
  const source = parseSource(author);
  const name = who
    ? `"${who.id}", who could not make this call,`
    : source
      ? `the ${source.kind} "${source.identifier}", which is not trusted any more,`
      : author === outside
        ? 'outside'
        : 'many authors';
  return where === undefined ? name : `${name} (${where})`;
}
