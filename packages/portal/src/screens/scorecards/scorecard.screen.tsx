import { Button, Group, Tabs } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useDelete } from '../../kit/delete.ts';
import { locale } from '../../kit/language.ts';
import { Reading } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { Needs, NeedsOperation } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { ReadOnlyRules } from './read-only-rules.tsx';
import { ResultsTab } from './results-tab.tsx';
import { toDraft } from './scorecard-draft.ts';
import { ScorecardEditor } from './scorecard-editor.tsx';
import { useDistribution } from './use-distribution.ts';

/** One scorecard: who is where and why, and its rules. */
export function Screen() {
  const blueprint = useParam('blueprint');
  const scorecard = useParam('scorecard');
  const params = { blueprint_identifier: blueprint, scorecard_identifier: scorecard };
  const read = useRead('getScorecard', { params });
  return (
    <Reading of={read} isScreen>
      {(found) => <Shown key={`${blueprint}/${scorecard}`} scorecard={found.scorecard} />}
    </Reading>
  );
}

function Shown({ scorecard }: { scorecard: Scorecard }) {
  const { identifier, blueprint, title } = scorecard;
  const [tab = 'results', setTab] = useUrlState('/builder/scorecards/$blueprint/$scorecard', 'tab');
  const mayChange = useMay('replaceScorecard');
  const { permits } = useOffers('_scorecard');
  const its = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  return (
    <>
      <PageHeader
        title={title}
        trail={[{ to: '/builder/scorecards', label: t('Scorecards') }]}
        description={
          <Group gap={4}>
            <span dir="auto">{its.data?.blueprint.title ?? blueprint}</span>· <code>{identifier}</code>
            <CopyValue value={identifier} what={t('the identifier')} />
          </Group>
        }
        actions={
          <>
            <Needs permit={permits.register} to={t('start campaigns')}>
              <ButtonLink to="/builder/new-campaign" search={{ blueprint, scorecard: identifier }} variant="default">
                {t('Start campaign')}
              </ButtonLink>
            </Needs>
            <Delete scorecard={scorecard} />
          </>
        }
      />
      <Tabs value={tab} onChange={(next) => setTab((next ?? undefined) as typeof tab | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="results">{t('Results')}</Tabs.Tab>
          <Tabs.Tab value="rules">{t('Rules and levels')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <ResultsTab scorecard={scorecard} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          {mayChange.isAllowed ? (
            <ScorecardEditor blueprint={blueprint} latest={toDraft(scorecard)} />
          ) : (
            <ReadOnlyRules scorecard={scorecard} />
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Deletions of more than so many results have to be typed. */
const typedFrom = 100;

function Delete({ scorecard }: { scorecard: Scorecard }) {
  const { identifier, blueprint, title, levels, rules } = scorecard;
  const { read, shares } = useDistribution(blueprint, identifier, levels);
  const { ask, isPending } = useDelete('deleteScorecard', {
    staleAfter: ['listScorecards', 'listAllScorecards', 'getEntity'],
    leadsTo: '/builder/scorecards',
  });
  const measured = shares.reduce((sum, { count }) => sum + count, 0);
  const entities = `${measured.toLocaleString(locale)} ${measured === 1 ? t('entity loses its level') : t('entities lose their level')}`;
  const campaigns = t('Campaigns about it stay and can no longer be measured.');
  const results = plural(rules.length, 'the results of {count} rule', 'the results of {count} rules');
  const deletion = {
    input: { params: { blueprint_identifier: blueprint, scorecard_identifier: identifier } },
    name: title,
    consequence: t('{entities} and {results}. The entities themselves stay. {campaigns} This cannot be undone.', {
      entities,
      results,
      campaigns,
    }),
    button: t('Delete scorecard'),
    ...(measured > typedFrom ? { typed: identifier } : {}),
  };
  return (
    <NeedsOperation operation="deleteScorecard" to={t('delete the scorecard {title}', { title })}>
      <Button variant="default" onClick={() => void ask(deletion)} loading={isPending} disabled={read.isPending}>
        {t('Delete')}
      </Button>
    </NeedsOperation>
  );
}
