import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { DialogForm, FieldProblem, useSentForm } from '../../kit/form.tsx';
import { plural, t } from '../../kit/translate.ts';
import { EntityPicker } from '../entity-picker.tsx';
import { exemptionReads } from './reads.ts';

const allRules = '';
const mostAtOnce = 100;
const usualDays = 90;

interface ExemptDialogProps {
  readonly blueprint: string;
  readonly scorecard: string;
  /** Chosen to begin with; all rules without it. */
  readonly rule?: string | undefined;
  /** The entities that are offered. */
  readonly dataset?: object | undefined;
  readonly onClose: () => void;
}

/** Exempts entities from a rule of a scorecard, or from all, for a reason and until a day. */
export function ExemptDialog({ blueprint, scorecard, rule = allRules, dataset, onClose }: ExemptDialogProps) {
  const [initial] = useState(() => ({ entities: [] as readonly string[], rule, reason: '', until: dayIn(usualDays) }));
  const params = { blueprint_identifier: blueprint, scorecard_identifier: scorecard };
  const { data } = useRead('getScorecard', { params });
  const form = useSentForm<typeof initial, { exemptions: unknown[] }>({
    initial,
    guards: t('the exemption'),
    staleAfter: exemptionReads,
    done: (_, { exemptions }) => plural(exemptions.length, '{count} entity is exempt', '{count} entities are exempt'),
    onSaved: onClose,
    send: (values) => {
      if (values.entities.length === 0) throw new FieldProblem('entities', t('Choose an entity.'));
      if (values.reason.trim() === '') throw new FieldProblem('reason', t('Enter a reason.'));
      if (values.until === '') throw new FieldProblem('until', t('Enter a date.'));
      const { entities, reason, until } = values;
      const ofRule = values.rule === allRules ? {} : { rule: values.rule };
      return call('createExemptions', { params, body: { entities: [...entities], reason, until, ...ofRule } });
    },
  });
  const error = form.field('entities').error;
  return (
    <DialogForm
      form={{ ...form, operation: 'createExemptions' }}
      title={t('Exempt entities')}
      verb={t('Exempt')}
      refused={t('Nothing was exempted')}
      onClose={onClose}
    >
      <EntityPicker
        blueprint={blueprint}
        dataset={dataset}
        label={t('Entities')}
        description={t('Levels and results stay as they are. Campaigns count these entities apart.')}
        isMany
        isRequired
        most={mostAtOnce}
        value={form.values.entities}
        error={typeof error === 'string' ? error : undefined}
        onChange={(entities) => form.set({ entities })}
      />
      <Select
        label={t('Exempt from')}
        allowDeselect={false}
        data={[
          { value: allRules, label: t('All rules') },
          ...(data?.scorecard.rules ?? []).map(({ identifier, title }) => ({ value: identifier, label: title })),
        ]}
        value={form.values.rule}
        error={form.field('rule').error}
        onChange={(next) => form.set({ rule: next ?? allRules })}
      />
      <Textarea
        label={t('Reason')}
        description={t('Everybody who sees the entity can read it.')}
        withAsterisk
        autosize
        minRows={2}
        {...form.field('reason')}
      />
      <TextInput
        type="date"
        label={t('Exempt until')}
        description={t('The last day. After it the entity counts again automatically.')}
        withAsterisk
        {...form.field('until')}
      />
    </DialogForm>
  );
}

/** A day from today on the reader's calendar. */
function dayIn(days: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
