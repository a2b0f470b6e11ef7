import { linkName } from './link-names.ts';
import { lookUp } from './look-up.ts';
import {
  type Answer,
  answered,
  asked,
  failure,
  type OfferedTool,
  type OfferedTools,
  type Plan,
  refused,
} from './plan-steps.ts';
import type { Intent } from './question.ts';
import { nameWords, splitWords, stemWord } from './words.ts';

type ActionIntent = Extract<Intent, { kind: 'action' }>;

/**
 * Runs the one action that a request names, if its inputs are given as `name=value`; otherwise describes the action.
 * Never guesses an input.
 */
export function* planAction({ text, rest }: ActionIntent, offered: OfferedTools): Plan {
  const actions = [...offered].filter(([name]) => name.startsWith('run_'));
  if (actions.length === 0) {
    return refused(
      'No action is on offer in this request, so nothing ran. Actions are offered when `tools` allows them (for example `["^run_.*"]`) and the caller may execute them.',
    );
  }
  const { matched, isExact } = matchActions(actions, text);
  if (matched.length === 0)
    return refused(`No action fits that. On offer:\n\n${actions.map(describeAction).join('\n')}`);
  if (matched.length > 1 || !isExact)
    return asked(`These actions may be meant; name one:\n\n${matched.map(describeAction).join('\n')}`);
  const [name, tool] = matched[0]!;
  const inputs = readInputs(tool);
  const given = givenInputs(rest, inputs);
  if (inputs.required.includes('entity') && !('entity' in given)) {
    const unclear = yield* findTarget(name, tool, rest, given, offered);
    if (unclear) return unclear;
  }
  const lacking = inputs.required.filter((key) => !(key in given));
  if (lacking.length > 0) {
    const example = lacking.map((key) => `${key}=…`).join(' ');
    return asked(
      `The action is \`${name}\`. It also needs ${lacking.map((key) => `\`${key}\``).join(', ')}: ask again with \`${example}\`.`,
    );
  }
  const reply = yield { name, args: given };
  if (reply.isError) return refused(failure(name, reply));
  const { mode, url, status } = (reply.content ?? {}) as { mode?: string; url?: string; status?: string };
  const link = url ? ` ${url}` : '';
  if (mode === 'draft') return answered(`Nothing ran yet: \`${name}\` is a draft that a person has to approve.${link}`);
  return answered(`\`${name}\` was started${status ? ` (${status})` : ''}.${link}`);
}

/** Puts the entity that the request names exactly and alone into the inputs; else the answer that asks for it. */
function* findTarget(
  name: string,
  tool: OfferedTool,
  text: string,
  given: Record<string, unknown>,
  offered: OfferedTools,
): Plan<Answer | undefined> {
  const target = parseTarget(text);
  if (target === undefined) return undefined;
  // without look-up the text may be the identifier; if it is not, the action refuses it
  if (!offered.has('search_entities')) {
    given['entity'] = target;
    return undefined;
  }
  const blueprint = readBlueprint(tool);
  const ref = { text: target, ...(blueprint ? { types: [blueprint] } : {}) };
  const link = linkName(ref, yield* lookUp([ref], offered));
  if (link.kind === 'linked') {
    given['entity'] = link.entity.identifier;
    return undefined;
  }
  if (link.kind === 'unknown') return refused(`I found nothing called ${quoted(target)} to run \`${name}\` on.`);
  const options = link.options.map(({ identifier }) => quoted(identifier)).join(', ');
  return asked(`Which do you mean by ${quoted(target)}? Ask again with \`entity=…\`: ${options}.`);
}

/** The text after the last `on` or `for`, without inputs: "restart on billing-api size=2". */
function parseTarget(text: string): string | undefined {
  const plain = text.replace(/[\w$-]+\s*[=:]\s*("[^"]*"|'[^']*'|\S+)/g, ' ');
  const target = /(?:^|.*\s)(?:on|for|of)\s+(?:the\s+)?(.+)$/i.exec(plain)?.[1]?.trim();
  return target?.replace(/^["'`](.*)["'`]$/, '$1') || undefined;
}

/** The blueprint of a tool's entity, from the description of its argument. */
function readBlueprint({ inputSchema }: OfferedTool): string | undefined {
  const { properties } = (inputSchema ?? {}) as { properties?: Record<string, { description?: string }> };
  return /^Identifier of the (.+) to act on$/.exec(properties?.['entity']?.description ?? '')?.[1];
}

function quoted(text: string | undefined): string {
  return `\`${(text ?? '').replaceAll('`', "'")}\``;
}

/** Actions named literally in the request; otherwise those sharing most words with it. */
function matchActions(actions: readonly (readonly [string, OfferedTool])[], text: string) {
  const said = new Set(splitWords(text).flatMap(({ stem, raw }) => [stem, ...nameWords(raw)]));
  const scored = actions.map((action) => {
    const [name, { description }] = action;
    const title = /^[^:\n]*/.exec(description)?.[0] ?? '';
    const names = [name.slice('run_'.length), title].map((each) => nameWords(each).map(stemWord));
    const hits = names.map((words) => words.filter((word) => said.has(word)).length);
    const isWhole = names.some((words, at) => words.length > 0 && hits[at] === words.length);
    return { action, hits: Math.max(...hits), isWhole };
  });
  const whole = scored.filter(({ isWhole }) => isWhole).sort((a, b) => b.hits - a.hits);
  if (whole.length > 0) {
    const best = whole.filter(({ hits }) => hits === whole[0]!.hits);
    return { matched: best.map(({ action }) => action), isExact: true };
  }
  const partial = scored.filter(({ hits }) => hits > 0).sort((a, b) => b.hits - a.hits);
  return { matched: partial.slice(0, 5).map(({ action }) => action), isExact: false };
}

interface Inputs {
  readonly types: Readonly<Record<string, string>>;
  readonly required: readonly string[];
}

function readInputs({ inputSchema }: OfferedTool): Inputs {
  const { properties, required } = (inputSchema ?? {}) as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  const types = Object.fromEntries(Object.entries(properties ?? {}).map(([key, { type }]) => [key, type ?? 'string']));
  return { types, required: required ?? [] };
}

/** `name=value` and `name: value` pairs whose name is an input. */
function givenInputs(text: string, { types }: Inputs): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const match of text.matchAll(/([\w$-]+)\s*[=:]\s*("[^"]*"|'[^']*'|\S+)/g)) {
    const key = Object.keys(types).find((name) => name.toLowerCase() === match[1]!.toLowerCase());
    if (!key) continue;
    const value = match[2]!.replace(/^["'](.*)["']$/, '$1').replace(/[,;]$/, '');
    const type = types[key];
    if (type === 'number' || type === 'integer') given[key] = Number(value);
    else if (type === 'boolean') given[key] = /^(true|yes|on)$/i.test(value);
    else given[key] = value;
  }
  return given;
}

function describeAction([name, { description }]: readonly [string, OfferedTool]): string {
  return `- \`${name}\`${description ? `: ${description.split('\n')[0]}` : ''}`;
}
