import { Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { type AnswerOf, call, type InputOf } from '../api/api.ts';
import { readKey, useRead } from '../api/query.ts';
import { isAdmin, useSession } from '../api/session.ts';
import { AnchorLink } from '../frame/links.tsx';
import { Sentence } from '../kit/sentence.tsx';
import { t } from '../kit/translate.ts';
import { joinNames, useAdministrators } from './access/administrators.ts';
import { listFields } from './entities/fields.ts';
import { isQuery, type Query, type Rule, ruleText } from './entities/operators.ts';
import { useTeams } from './entities/team-form.ts';

type Input = InputOf<'searchBlueprintEntities'>;
const rulesAsked = 5;

/** Why no entity can be picked: which rule leaves none, whether it depends on the caller, and who can change that. */
export function NothingToPick({ blueprint, dataset }: { blueprint: string; dataset?: object | undefined }) {
  const rules = toRules(dataset);
  const { data: read } = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  const title = read?.blueprint.title ?? blueprint;
  const each = useQueries({
    queries: [[], ...rules.map((rule) => [rule])].map((asked) => firstMatch(blueprint, asked)),
  });
  if (each.some(({ isPending }) => isPending) || !read) return null;
  const [all, ...ofRules] = each.map(({ data }) => (data?.entities.length ?? 0) > 0);
  if (!all) return <Note>{t('There is no {title} yet, or none that you may see.', { title })}</Note>;
  const unmet = rules.filter((_, index) => !ofRules[index]);
  if (unmet.some(isOfTeams)) return <TeamNote title={title} rule={unmet.find(isOfTeams) as Rule} />;
  return <RuleNote title={title} unmet={unmet} blueprint={read.blueprint} />;
}

function TeamNote({ title, rule }: { title: string; rule: Rule }) {
  const session = useSession();
  const { nameOf } = useTeams();
  const own = session.user?.teams ?? [];
  const asked = listed(rule.value);
  const isOwn =
    asked.length === 0 || asked.every((team) => own.some(({ identifier, name }) => [identifier, name].includes(team)));
  const names = asked.map(nameOf).join(', ');
  if (isOwn && own.length === 0) {
    return (
      <Note>
        {t('Only a {title} of your own teams can be chosen, and you are in no team yet.', { title })}{' '}
        {isAdmin(session) ? (
          <Sentence
            text="Add yourself to one under <link>Teams</link>."
            parts={{ link: <AnchorLink to="/builder/teams" /> }}
          />
        ) : (
          <Ask>{t('add you to one')}</Ask>
        )}
      </Note>
    );
  }
  if (isOwn) {
    return (
      <Note>
        {t('Only a {title} of your own teams can be chosen, and {own} own none.', {
          title,
          own: own.map(({ name }) => name).join(', '),
        })}{' '}
        <Ask>{t('change the owner of one, or your teams')}</Ask>
      </Note>
    );
  }
  return (
    <Note>
      {t('Only a {title} of {names} can be chosen, and there is none.', { title, names })}{' '}
      <Ask>{t('change this rule in the action')}</Ask>
    </Note>
  );
}

function RuleNote({
  title,
  unmet,
  blueprint,
}: {
  title: string;
  unmet: readonly (Rule | Query)[];
  blueprint: AnswerOf<'getBlueprint'>['blueprint'];
}) {
  const fields = listFields(blueprint);
  const words = (rule: Rule | Query): string =>
    isQuery(rule)
      ? rule.rules.map(words).join(rule.combinator === 'and' ? ' and ' : ' or ')
      : ruleText(rule, fields, String);
  return (
    <Note>
      {unmet.length > 0
        ? t('No {title} matches the rule "{unmet}".', { title, unmet: unmet.map(words).join(', ') })
        : t('No {title} meets all rules of this list together.', { title })}{' '}
      <Ask>{t('change the rules in the action')}</Ask>
    </Note>
  );
}

/** Names people who can help, as far as the caller may see them. */
function Ask({ children }: { children: string }) {
  const session = useSession();
  const administrators = useAdministrators(!isAdmin(session));
  if (isAdmin(session)) return <>{t('You can {children}.', { children })}</>;
  const whom =
    administrators.length > 0
      ? t('an administrator ({administrators})', { administrators: joinNames(administrators) })
      : 'an administrator';
  return <>{t('Ask {whom} to {children}.', { whom, children })}</>;
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <Text size="sm" mt={4} role="status">
      {children}
    </Text>
  );
}

function firstMatch(blueprint: string, rules: readonly unknown[]) {
  const input = {
    params: { blueprint_identifier: blueprint },
    body: { limit: 1, include: ['$identifier'], query: { combinator: 'and', rules } },
  } as unknown as Input;
  return {
    queryKey: readKey('searchBlueprintEntities', input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call('searchBlueprintEntities', { ...input, signal } as Input),
  };
}

/** The rules of a dataset that hold each for itself. */
function toRules(dataset: object | undefined): readonly (Rule | Query)[] {
  const { combinator, rules } = (dataset ?? {}) as Partial<Query>;
  if (!Array.isArray(rules) || rules.length === 0) return [];
  return combinator === 'or' ? [dataset as Query] : rules.slice(0, rulesAsked);
}

function isOfTeams(rule: Rule | Query): boolean {
  return !isQuery(rule) && rule.property === '$team' && !/not|isEmpty/i.test(rule.operator);
}

function listed(value: unknown): readonly string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string' && each !== '');
}
