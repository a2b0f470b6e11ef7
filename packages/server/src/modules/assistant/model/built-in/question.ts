/** The intent of a question, from its words alone. Names are looked up later. */
export type Intent =
  | { readonly kind: 'help' }
  | { readonly kind: 'who-am-i' }
  | { readonly kind: 'list-blueprints' }
  | { readonly kind: 'owner'; readonly subject: string }
  | { readonly kind: 'action'; readonly verb: string; readonly rest: string }
  | { readonly kind: 'describe'; readonly subject: string }
  | { readonly kind: 'dependencies'; readonly subject: string }
  | { readonly kind: 'dependents'; readonly subject: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'list' };

export interface Question {
  readonly text: string;
  readonly intent: Intent;
  readonly isUnowned: boolean;
  readonly ownedBy: { readonly team: string } | 'caller' | undefined;
}

const please = '(?:please |can you |could you |would you |i want to |i would like to |lets |let us )*';
const noOwner =
  /\b(?:no|without(?: an?| any)?|missing(?: an?| any)?|lacks?(?: an?)?|lacking(?: an?)?|(?:does not|doesn't|do not|don't) have(?: an?| any)?|not have(?: an?| any)?) (?:owners?|owning teams?|teams?|ownership)\b|\bunowned\b|\borphan(?:ed|s)?\b|\bownerless\b|\b(?:not|isn't|aren't) owned\b|\bnobody owns\b/;
const ownerPatterns = [
  /\bwho(?:m)?(?: currently)? (?:owns?|maintains?|looks after|is responsible for|is in charge of|is the (?:owner|maintainer|team) (?:of|for|behind))\s+(.+)/,
  /\b(?:which|what) (?:teams?|squads?|group) (?:owns?|maintains?|looks? after|is responsible for|are responsible for|is in charge of)\s+(.+)/,
  /\b(?:owners?|owning teams?|maintainers?) (?:of|for)\s+(.+)/,
  /\bwho (?:do|should|can) i (?:ask|contact|call|talk to) about\s+(.+)/,
];
const ownedByPatterns = [
  /\b(?:owned|maintained|run) by (?:the )?(?:team )?(.+?)(?: team)?$/,
  /\b(?:does|do) (?:the )?(?:team )?(.+?)(?: team)? (?:own|maintain)\b/,
  /\b(?:of|for|from|in|on) (?:the )?([\p{L}\p{N}@._-]+) team\b/u,
  /\b(?:of|for|from|in|on) (?:the )?team ([\p{L}\p{N}@._-]+)/u,
];
const actionVerbs =
  'run|execute|trigger|invoke|launch|scaffold|deploy|redeploy|restart|rollback|roll back|provision|promote|create|delete|scale|rotate|restore|request|start|stop';

/** Never fails: an unrecognized question becomes a list. */
export function parseQuestion(text: string): Question {
  const plain = text
    .trim()
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[?!.\s]+$/, '');
  const lower = plain.toLowerCase();
  const rest = (pattern: RegExp): string | undefined => {
    const [start, end] = new RegExp(pattern, 'd').exec(lower)?.indices?.[1] ?? [0, 0];
    return parseSubject(plain.slice(start, end)) || undefined;
  };
  const isUnowned = noOwner.test(lower);
  const question = (intent: Intent): Question => ({
    text: plain,
    intent,
    isUnowned,
    ownedBy: parseOwnedBy(lower, plain),
  });

  if (
    lower === '' ||
    /^(help|hi|hello|hey)\b|\bwhat can (you|i)\b|\bwhat do you do\b|\bhow (do|can) i use\b/.test(lower)
  ) {
    return question({ kind: 'help' });
  }
  if (
    /\bwho am i\b|\bwhat (are|is) my (roles?|teams?|rights?|permissions?|name)\b|\bmy (profile|account|roles?)\b|\bwhich teams? am i\b|\b(am i|i am) (in|on)\b/.test(
      lower,
    )
  ) {
    return question({ kind: 'who-am-i' });
  }
  if (
    /\b(blueprints|types of (things|entities)|kinds of (things|entities)|entity types|data model)\b|\bwhat('s| is) in (the|our|my|this) (software )?catalog\b/.test(
      lower,
    )
  ) {
    return question({ kind: 'list-blueprints' });
  }
  if (!isUnowned) {
    for (const pattern of ownerPatterns) {
      const subject = rest(pattern);
      if (subject) return question({ kind: 'owner', subject });
    }
  }
  const action = new RegExp(`^${please}(${actionVerbs})\\b\\s*(.*)$`).exec(lower);
  if (action) {
    return question({ kind: 'action', verb: action[1]!, rest: plain.slice(plain.length - action[2]!.length) });
  }
  if (/\bhow many\b|\bnumber of\b|^(please )?count\b/.test(lower)) return question({ kind: 'count' });
  const needs = rest(/\bwhat (?:does|do)\s+(.+?)\s+depends? on$/) ?? rest(/\bdependencies of\s+(.+)$/);
  if (needs) return question({ kind: 'dependencies', subject: needs });
  const needed = rest(/\bdepends? on\s+(.+)$/) ?? rest(/\bdependents of\s+(.+)$/) ?? rest(/^what uses\s+(.+)$/);
  if (needed) return question({ kind: 'dependents', subject: needed });
  const described = isUnowned
    ? undefined
    : rest(
        new RegExp(
          `^${please}(?:describe|explain|tell me(?: more| everything)? about|details (?:of|about|on)|what do you know about|give me (?:the )?(?:details|information|info) (?:about|on|of)|information (?:about|on)|what is|what's|who is|show(?: me)?|get|open)\\s+(.+)$`,
        ),
      );
  if (described) return question({ kind: 'describe', subject: described });
  return question({ kind: 'list' });
}

function parseOwnedBy(lower: string, plain: string): Question['ownedBy'] {
  if (
    /\b(my|our teams?'?s?) (own )?(teams?'?s? )?(services?|things|components?|entities|apps?)\b|\b(i|we|my team|my teams) owns?\b|\bowned by (me|us|my teams?)\b/.test(
      lower,
    )
  ) {
    return 'caller';
  }
  for (const pattern of ownedByPatterns) {
    const team = pattern.exec(lower)?.[1]?.trim();
    if (!team || /^(an?|any|no|each|every|which|what|my|our|nobody|no one)$/.test(team)) continue;
    const at = lower.lastIndexOf(team);
    return { team: plain.slice(at, at + team.length) };
  }
  return undefined;
}

/** The name without surrounding words and quotes. */
function parseSubject(text: string): string {
  return text
    .trim()
    .replace(/^(?:(?:the|a|an|our|all|of|for|called|named)\s+)+/i, '')
    .replace(/^["'`“](.*)["'`”]$/u, '$1')
    .replace(/["'`“”]/gu, '')
    .replace(/[?!.,]+$/, '')
    .trim();
}
