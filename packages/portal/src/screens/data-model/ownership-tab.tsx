import { Alert, Button, Code, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
import { issueAt } from '../../kit/refusal.ts';
import { Sentence } from '../../kit/sentence.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { migrateDataAddress } from './addresses.ts';
import classes from './data-model.module.css';
import { PathPicker } from './path-picker.tsx';
import { pathSteps, teamRelations, toModel } from './relation-path.ts';
import type { TabProps } from './tab-props.ts';

/** Ownership of the entities: none, direct, or inherited along a relation path. */
export function OwnershipTab({ draft, onChange, issues, blueprints, saved }: TabProps) {
  const { ownership, teamInheritance } = draft;
  const kind = ownership?.type ?? 'None';
  const set = (next: typeof ownership) => onChange({ ...draft, ownership: next });
  const path = ownership?.type === 'Inherited' ? ownership.path : '';
  const model = toModel(blueprints);
  const { end } = pathSteps(model, draft, path.split('.'));
  const endOwnership = end === draft.identifier ? undefined : model.get(end)?.ownership;
  const toTeams = teamRelations(saved);
  return (
    <Stack gap="md" maw={860}>
      {teamInheritance !== undefined && (
        <Alert color="yellow" title={t('Teams are inherited in the older form')}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              <Sentence
                text="<code>teamInheritance</code> follows the path <code2/>. The migration of users and teams turns it into inherited ownership over the same path."
                parts={{ code: <Code />, code2: <Code>{String(teamInheritance.path)}</Code> }}
              />
            </Text>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                const { teamInheritance: gone, ...rest } = draft;
                onChange({ ...rest, ownership: { type: 'Inherited', path: String(teamInheritance.path) } });
              }}
            >
              {t('Turn it into inherited ownership now')}
            </Button>
          </Stack>
        </Alert>
      )}
      <div className={surfaces.block}>
        <Radio.Group
          label={t('Ownership')}
          description={t('Decides which teams own an entity. Permissions and searches use it.')}
          value={kind}
          error={path === '' ? undefined : issueAt(issues, 'ownership')}
          onChange={(value) =>
            set(
              value === 'Direct'
                ? { type: 'Direct' }
                : value === 'Inherited'
                  ? { type: 'Inherited', path: '' }
                  : undefined,
            )
          }
        >
          <Stack gap="sm" mt="sm">
            <Radio value="None" label={t('None')} description={t('Its entities have no owner')} />
            <Radio value="Direct" label={t('Direct')} description={t('Each entity names its owning teams')} />
            <Radio
              value="Inherited"
              label={t('Inherited')}
              description={t('The owners of what an entity belongs to, over a path of relations')}
            />
          </Stack>
        </Radio.Group>
        {ownership?.type === 'Inherited' && (
          <Stack gap="xs" mt="md">
            <PathPicker
              draft={draft}
              blueprints={blueprints}
              path={path}
              label={t('Path to the owner')}
              onChange={(next) => set({ ...ownership, path: next })}
            />
            <Text size="sm" c="dimmed" role="status">
              {path === ''
                ? t('Choose the relation that leads to the owner.')
                : endOwnership?.type === 'Direct'
                  ? t('Ends at {title}, which has direct ownership.', { title: model.get(end)?.title ?? end })
                  : t('Ends at {title}, which has no direct ownership: go on, or give it some.', {
                      title: model.get(end)?.title ?? end,
                    })}
            </Text>
            {path !== '' && (
              <Text size="sm">
                <Sentence text="Path: <code/>" parts={{ code: <Code>{path}</Code> }} />
              </Text>
            )}
            {issueAt(issues, 'ownership') && <span className={classes.problem}>{issueAt(issues, 'ownership')}</span>}
          </Stack>
        )}
        {ownership && (
          <TextInput
            mt="md"
            maw={360}
            label={t('Title of the column')}
            placeholder={t('Owning teams')}
            value={ownership.title ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { title, ...rest } = ownership;
              set(value === '' ? rest : { ...rest, title: value });
            }}
          />
        )}
      </div>
      {toTeams.length > 0 && saved.ownership?.type === 'Direct' && (
        <Alert
          color="blue"
          title={t('The relation {toTeams} points at teams', { toTeams: toTeams.map(({ title }) => title).join(', ') })}
        >
          <Group>
            <AnchorLink underline="always" {...migrateDataAddress(saved.identifier)}>
              {t('Copy it into ownership')}
            </AnchorLink>
          </Group>
        </Alert>
      )}
    </Stack>
  );
}
