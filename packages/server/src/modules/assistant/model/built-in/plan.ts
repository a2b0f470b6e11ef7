import { namesIn } from './catalog.ts';
import { planAction } from './plan-action.ts';
import { planDependents, planDescribe, planOwner } from './plan-entity.ts';
import { planList } from './plan-list.ts';
import { allBlueprints, examples, failure, missing, type OfferedTools, type Plan } from './plan-steps.ts';
import { parseQuestion } from './question.ts';
import { blueprintsAnswer } from './write-answer.ts';

/** The plan for a question; uses only offered tools. */
export function* planAnswer(text: string, offered: OfferedTools): Plan {
  const question = parseQuestion(text);
  const { intent } = question;
  switch (intent.kind) {
    case 'help':
      return yield* planHelp(offered);
    case 'who-am-i':
      return yield* planWhoAmI(offered);
    case 'list-blueprints': {
      if (!offered.has('list_blueprints')) return missing('list_blueprints');
      const blueprints = yield* allBlueprints(offered);
      return typeof blueprints === 'string' ? blueprints : blueprintsAnswer(blueprints);
    }
    case 'action':
      return yield* planAction(intent, question, offered);
    case 'owner':
      return yield* planOwner(intent.subject, question, offered);
    case 'describe':
    case 'dependencies':
      return yield* planDescribe(intent.subject, question, offered);
    case 'dependents':
      return yield* planDependents(intent.subject, question, offered);
    default:
      return yield* planList(question, offered);
  }
}

function* planHelp(offered: OfferedTools): Plan {
  const blueprints = yield* allBlueprints(offered);
  const known =
    typeof blueprints === 'string' ? [] : blueprints.filter(({ identifier }) => !identifier.startsWith('_ai_'));
  const types =
    known.length > 0 ? `It holds ${known.map(({ title, identifier }) => title ?? identifier).join(', ')}.` : '';
  const actions = [...offered.keys()].filter((name) => name.startsWith('run_'));
  const canRun = actions.length > 0 ? `I can also run: ${actions.map((name) => `\`${name}\``).join(', ')}.` : '';
  const what =
    'I am the built-in planner, not a language model: plain questions work best. An operator can connect a language model in the settings.';
  return [`I answer questions about the software catalog. ${types}`.trim(), examples, canRun, what]
    .filter(Boolean)
    .join('\n\n');
}

function* planWhoAmI(offered: OfferedTools): Plan {
  if (!offered.has('describe_user_details')) return missing('describe_user_details');
  const reply = yield { name: 'describe_user_details', args: {} };
  if (reply.isError) return failure('describe_user_details', reply);
  const { user, organization, teams, roles } = (reply.content ?? {}) as Record<string, unknown>;
  const who = namesIn(user)[0] ?? (user as { email?: string } | undefined)?.email;
  const where = namesIn(organization)[0];
  const teamNames = namesIn(teams);
  return [
    `You are ${who ? `**${who}**` : 'a machine credential'}${where ? ` in **${where}**` : ''}.`,
    '',
    `- Roles: ${namesIn(roles).join(', ') || 'none'}`,
    `- Teams: ${teamNames.join(', ') || 'none'}`,
  ].join('\n');
}
