import { Button, Group, Switch, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { NeedsOperation, NeedsSwitch } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { WhoCanGrant } from '../../parts/access/who-can-grant.tsx';
import { backendName, type StoredAction } from '../../parts/actions/stored-action.ts';
import { usePublish } from '../../parts/actions/use-publish.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { automationAddress, triggerWords } from './automation-draft.ts';
import classes from './automations.module.css';
import { type ListedRun, RunStrip } from './run-strip.tsx';

/** Runs read for the strips, in one request for all automations. */
const runsMax = 1000;

/** All automations: trigger, effect, and recent runs. */
export function Screen() {
  const automations = useRead('listActions', { query: { trigger_type: 'automation', version: 'v2' } });
  const query = {
    source: ['AUTOMATION'],
    limit: runsMax,
    version: 'v2',
    exclude: ['payload', 'response', 'properties'],
  };
  const runs = useRead('listRuns', { query }, { everyMs: 15_000 });
  const byAction = useMemo(() => grouped(runs.data?.runs ?? []), [runs.data]);
  const [term, setTerm] = useUrlState('/builder/automations', 'q');
  const words = String(term ?? '').toLowerCase();
  const mayCreate = useMay('createAction');
  return (
    <div style={{ maxWidth: 960 }}>
      <PageHeader
        title={t('Automations')}
        description={t('Run actions automatically when something changes.')}
        actions={
          <NeedsOperation operation="createAction" to={t('create automations')}>
            <ButtonLink to="/builder/new-automation">{t('New automation')}</ButtonLink>
          </NeedsOperation>
        }
      />
      <Reading of={automations}>
        {({ actions }) => {
          const shown = actions.filter((each) => searchText(each).includes(words));
          // the server shows automations to administrators alone
          if (actions.length === 0 && !mayCreate.isAllowed) {
            return (
              <EmptyState title={t('Automations are not for you')}>
                {t('Seeing and changing automations needs {needs}.', { needs: mayCreate.needs })} <WhoCanGrant />
              </EmptyState>
            );
          }
          if (actions.length === 0) {
            return (
              <EmptyState
                title={t('No automations yet')}
                action={
                  <ButtonLink to="/builder/new-automation" size="xs">
                    {t('New automation')}
                  </ButtonLink>
                }
              >
                {t('Tell somebody when an entity changes, ask an agent about it, or write another entity.')}
              </EmptyState>
            );
          }
          return (
            <>
              <TextInput
                aria-label={t('Search automations')}
                placeholder={t('Search automations')}
                mb="md"
                maw={360}
                leftSection={<Search size={16} aria-hidden="true" />}
                value={String(term ?? '')}
                onChange={({ currentTarget }) => setTerm(currentTarget.value || undefined)}
              />
              {shown.length === 0 ? (
                <EmptyState
                  title={t('No automation fits')}
                  action={
                    <Button size="xs" variant="default" onClick={() => setTerm(undefined)}>
                      {t('Clear the search')}
                    </Button>
                  }
                />
              ) : (
                <ul className={surfaces.list}>
                  {shown.map((each) => (
                    <Row key={each.identifier} automation={each} runs={byAction.get(each.identifier) ?? []} />
                  ))}
                </ul>
              )}
            </>
          );
        }}
      </Reading>
    </div>
  );
}

function Row({ automation, runs }: { automation: StoredAction; runs: readonly ListedRun[] }) {
  const { identifier, title, trigger, invocationMethod } = automation;
  const isOn = automation.publish !== false;
  const publish = usePublish();
  const mayChange = useMay('replaceAction');
  return (
    <li className={surfaces.item}>
      <div className={classes.itemText}>
        <AnchorLink {...automationAddress(identifier)} fw={600} dir="auto">
          {title || identifier}
        </AnchorLink>{' '}
        <code>{identifier}</code>
        <div className={surfaces.detail}>
          {triggerWords(trigger)} → {backendName(invocationMethod)}
        </div>
        <RunStrip runs={runs.slice(0, 20)} />
      </div>
      <Group gap="xs">
        <NeedsSwitch permit={mayChange} to={t('turn the automation {title} on or off', { title: title || identifier })}>
          <Switch
            label={isOn ? t('On') : t('Paused')}
            aria-label={`${isOn ? t('On') : t('Paused')}: ${title || identifier}`}
            checked={isOn}
            disabled={publish.isPending}
            onChange={({ currentTarget }) => void publish.turn(identifier, currentTarget.checked)}
          />
        </NeedsSwitch>
      </Group>
    </li>
  );
}

function searchText({ identifier, title, trigger, invocationMethod }: StoredAction): string {
  return [identifier, title, triggerWords(trigger), backendName(invocationMethod)].join(' ').toLowerCase();
}

function grouped(runs: readonly ListedRun[]): ReadonlyMap<string, readonly ListedRun[]> {
  const found = new Map<string, ListedRun[]>();
  for (const run of runs) {
    const action = typeof run.action === 'string' ? run.action : (run.action?.identifier ?? '');
    found.set(action, [...(found.get(action) ?? []), run]);
  }
  return found;
}
