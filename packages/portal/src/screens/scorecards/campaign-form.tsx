import { MultiSelect, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { Campaign, CampaignStatus } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { FormBody } from '../../kit/form.tsx';
import { locale } from '../../kit/language.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { FilterBuilder } from '../../parts/entities/filter-builder.tsx';
import type { Query } from '../../parts/entities/operators.ts';
import { useFields } from '../../parts/entities/use-fields.ts';
import { useMatchCount } from '../../parts/entities/use-match-count.ts';
import { PersonPicker } from '../../parts/entity-form/pickers.tsx';
import { type Draft, draftQueries, keyParts, ofScorecard, scorecardKey } from './campaign-draft.ts';
import { statusWords } from './campaign-words.ts';
import classes from './scorecards.module.css';
import { useCampaignForm } from './use-campaign-form.ts';

interface CampaignFormProps {
  readonly initial: Draft;
  /** The stored campaign; without it the form makes one. */
  readonly campaign?: Campaign;
  readonly scorecards: readonly Scorecard[];
  readonly onSaved: (saved: Campaign) => void;
}

/** A campaign's target, who takes part, who looks after it, and by when. */
export function CampaignForm({ initial, campaign, scorecards, onSaved }: CampaignFormProps) {
  // what others save meanwhile is shown when it is saved over, not typed away
  const [base] = useState(campaign);
  const form = useCampaignForm({ initial, base, onSaved });
  const { values } = form;
  const scorecard = scorecards.find((each) => scorecardKey(each) === values.scorecard);
  return (
    <section className={`${surfaces.block} ${classes.campaignForm}`} aria-label={t('Campaign')}>
      <FormBody
        form={form}
        verb={campaign ? t('Save campaign') : t('Create campaign')}
        refused={campaign ? t('The campaign was not saved') : t('The campaign was not created')}
      >
        <TextInput
          label={t('Title')}
          placeholder={t('Every service has a runbook')}
          withAsterisk
          {...form.field('title')}
        />
        <Target form={form} scorecards={scorecards} scorecard={scorecard} isFixed={campaign !== undefined} />
        {scorecard && <TakingPart form={form} scorecard={scorecard} />}
        <div className={classes.ruleFields}>
          <TextInput
            type="date"
            label={t('Due date')}
            description={t('The last day to reach the target.')}
            withAsterisk
            {...form.field('dueDate')}
          />
          <PersonPicker
            label={t('Owner')}
            description={t('Who to ask about the campaign.')}
            isMany={false}
            value={values.owner}
            error={textOf(form.field('owner').error)}
            onChange={(next) => form.set({ owner: typeof next === 'string' ? next : '' })}
          />
          <Select
            label={t('Status')}
            description={statusHelp[values.status]}
            allowDeselect={false}
            data={Object.entries(statusWords).map(([value, label]) => ({ value, label }))}
            value={values.status}
            error={form.field('status').error}
            onChange={(next) => next && form.set({ status: next as CampaignStatus })}
          />
        </div>
        <Switch
          label={t('Remind owners')}
          description={t('Owners of open entities are told 14, 7 and 1 days before the due date.')}
          {...form.box('remindOwners')}
        />
        <Textarea
          label={t('Description')}
          placeholder={t('Why it matters, and how to get there')}
          autosize
          minRows={3}
          maxRows={12}
          {...form.field('description')}
        />
      </FormBody>
    </section>
  );
}

const statusHelp: Readonly<Record<CampaignStatus, string>> = {
  draft: t('Only people who can change campaigns see it.'),
  active: t('Teams see their open entities on Home.'),
  done: t('Kept to look back at.'),
  archived: t('Kept out of the way.'),
};

type Form = ReturnType<typeof useCampaignForm>;

function textOf(error: unknown): string | undefined {
  return typeof error === 'string' ? error : undefined;
}

function Target({
  form,
  scorecards,
  scorecard,
  isFixed,
}: {
  form: Form;
  scorecards: readonly Scorecard[];
  scorecard: Scorecard | undefined;
  isFixed: boolean;
}) {
  const { values, set } = form;
  const blueprints = useRead('listBlueprints');
  const { blueprint } = keyParts(values.scorecard);
  const nameOf = (identifier: string) =>
    blueprints.data?.blueprints.find((each) => each.identifier === identifier)?.title ?? identifier;
  // a campaign stays with its blueprint
  const offered = scorecards.filter((each) => !isFixed || each.blueprint === blueprint);
  return (
    <>
      <Select
        label={t('Scorecard')}
        placeholder={t('Choose a scorecard')}
        withAsterisk
        searchable
        allowDeselect={false}
        data={offered.map((each) => ({
          value: scorecardKey(each),
          label: `${each.title} · ${nameOf(each.blueprint)}`,
        }))}
        value={scorecard ? values.scorecard : null}
        error={form.field('scorecard').error}
        onChange={(next) => set(ofScorecard(scorecards.find((each) => scorecardKey(each) === next)))}
      />
      {scorecard && (
        <Stack gap="xs">
          <SegmentedControl
            aria-label={t('Kind of target')}
            value={values.aim}
            onChange={(next) => set({ aim: next as Draft['aim'] })}
            data={[
              { value: 'level', label: t('Reach a level') },
              { value: 'rules', label: t('Pass rules') },
            ]}
          />
          {values.aim === 'level' ? (
            <Select
              label={t('Level')}
              description={t('Entities at this level or higher have reached the target.')}
              allowDeselect={false}
              maw={320}
              data={scorecard.levels.slice(1).map(({ title }) => title)}
              value={values.level || null}
              error={form.field('level').error}
              onChange={(next) => set({ level: next ?? '' })}
            />
          ) : (
            <MultiSelect
              label={t('Rules')}
              description={t('Entities that pass all of them have reached the target.')}
              placeholder={values.rules.length === 0 ? t('Choose rules') : ''}
              searchable
              hidePickedOptions
              data={scorecard.rules.map(({ identifier, title }) => ({ value: identifier, label: title }))}
              value={values.rules}
              error={form.field('rules').error}
              onChange={(next) => set({ rules: next })}
            />
          )}
        </Stack>
      )}
    </>
  );
}

/** The filter, and how many entities it comes to. */
function TakingPart({ form, scorecard }: { form: Form; scorecard: Scorecard }) {
  const { fields } = useFields(scorecard.blueprint);
  const error = textOf(form.field('filter').error);
  return (
    <fieldset className={classes.takingPart}>
      <legend>{t('Entities that take part')}</legend>
      {form.values.filter.rules.length === 0 && (
        <p className={classes.none}>{t('All entities that the scorecard measures.')}</p>
      )}
      {fields && (
        <FilterBuilder query={form.values.filter} fields={fields} onChange={(filter) => form.set({ filter })} />
      )}
      {error && (
        <Text size="sm" c="var(--danger)" role="alert">
          {error}
        </Text>
      )}
      <Reach draft={form.values} scorecard={scorecard} />
    </fieldset>
  );
}

function Reach({ draft, scorecard }: { draft: Draft; scorecard: Scorecard }) {
  const queries = draftQueries(draft, scorecard);
  const total = useReach(scorecard.blueprint, queries?.measured);
  const reached = useReach(scorecard.blueprint, queries?.reached);
  const isKnown = total !== undefined && reached !== undefined;
  return (
    <p className={classes.reach} role="status">
      {isKnown &&
        t('{total} part; {reached} reached the target already.', {
          total: plural(total, '{count} entity takes', '{count} entities take'),
          reached: reached.toLocaleString(locale),
        })}
    </p>
  );
}

function useReach(blueprint: string, query: Query | undefined) {
  return useMatchCount({ blueprint, query }, { isOn: query !== undefined, keepsPrevious: true });
}
