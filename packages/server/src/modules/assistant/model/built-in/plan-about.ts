import { namesIn, readBlueprints, readRef } from './catalog.ts';
import { cite } from './cite.ts';
import { answered, CannotAnswer, missing, type OfferedTools, type Plan } from './plan-steps.ts';
import { plain } from './query-words.ts';
import { createSchema, type TypeInfo } from './schema.ts';
import { callTool } from './search-page.ts';

/** What the planner can do, in words of this catalog. */
export function* planHelp(offered: OfferedTools): Plan {
  const types = offered.has('list_blueprints')
    ? createSchema(readBlueprints(yield* callTool('list_blueprints', {}, offered))).types
    : [];
  const known = types.filter(({ id }) => !id.startsWith('_ai_'));
  const holds = known.length > 0 ? `It holds ${known.map(({ title }) => plain(title)).join(', ')}.` : '';
  const actions = [...offered.keys()].filter((name) => name.startsWith('run_'));
  const canRun = actions.length > 0 ? `I can also run: ${actions.map((name) => `\`${name}\``).join(', ')}.` : '';
  const what =
    'I am the built-in planner, not a language model. I answer only if I understand every word, and say so if I do not. In a conversation, “those”, “it” and “the second one” are what the answer before named. An operator can connect a language model in the settings.';
  return answered(
    [`I answer questions about the software catalog. ${holds}`.trim(), examples(known), canRun, what]
      .filter(Boolean)
      .join('\n\n'),
  );
}

/** Questions of every kind that the first type with properties allows. */
function examples(types: readonly TypeInfo[]): string {
  const own =
    types.find(({ id, fields }) => !id.startsWith('_') && fields.some(({ values }) => values.length > 0)) ?? types[0];
  if (!own) return '';
  const plural = own.plural;
  const choice = own.fields.find(
    ({ kind, type, values }) => kind === 'property' && type === 'string' && values.length > 0,
  );
  const lines = [`Which ${plural} have no owner?`, `How many ${plural} are there?`];
  if (choice)
    lines.push(`${plural} with ${choice.title} ${String(choice.values[0])}`, `How many ${plural} per ${choice.title}?`);
  return ['Questions I understand look like these:', '', ...lines.map((line) => `- ${plain(line)}`)].join('\n');
}

export function* planWhoAmI(offered: OfferedTools): Plan {
  if (!offered.has('describe_user_details')) throw new CannotAnswer(missing('describe_user_details'));
  const content = (yield* callTool('describe_user_details', {}, offered)) as Record<string, unknown> | null;
  const { user, organization, teams, roles } = content ?? {};
  const who = namesIn(user)[0] ?? (user as { email?: string } | undefined)?.email;
  const where = namesIn(organization)[0];
  const mark = cite(readRef(content));
  return answered(
    [
      `You are ${who ? `**${who}**` : 'a machine credential'}${where ? ` in **${where}**` : ''}.${mark}`,
      '',
      `- Roles: ${namesIn(roles).join(', ') || 'none'}${mark}`,
      `- Teams: ${namesIn(teams).join(', ') || 'none'}${mark}`,
    ].join('\n'),
  );
}

export function* planTypes(offered: OfferedTools): Plan {
  if (!offered.has('list_blueprints')) throw new CannotAnswer(missing('list_blueprints'));
  const content = yield* callTool('list_blueprints', {}, offered);
  const blueprints = readBlueprints(content);
  const mark = cite(readRef(content));
  const lines = blueprints.map(({ identifier, title, description }) => {
    const about = description ? `: ${plain(description)}` : '';
    return `- **${plain(title ?? identifier)}** (\`${identifier}\`)${about}${mark}`;
  });
  return answered(`The catalog holds ${blueprints.length} types of things.${mark}\n\n${lines.join('\n')}`);
}
