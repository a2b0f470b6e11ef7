import { Group, Select } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { t } from '../../kit/translate.ts';
import type { Blueprint, Draft } from './blueprint-draft.ts';
import { pathSteps, toModel } from './relation-path.ts';

/** Chooses a path of relations step by step; its value joins the keys with dots. */
export function PathPicker({
  draft,
  blueprints,
  path,
  onChange,
  label,
}: {
  draft: Draft;
  blueprints: readonly Blueprint[];
  path: string;
  onChange: (path: string) => void;
  label: string;
}) {
  const model = toModel(blueprints);
  const segments = path === '' ? [] : path.split('.');
  const { steps } = pathSteps(model, draft, segments);
  return (
    <Group gap={4} role="group" aria-label={label} align="flex-end">
      {steps.map(({ from, choices, chosen }, depth) => {
        const isMissing = chosen !== undefined && !choices.some(({ key }) => key === chosen);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its depth
          <Fragment key={depth}>
            {depth > 0 && <ChevronRight size={16} aria-hidden="true" />}
            <Select
              label={t('Relation of {title}', { title: model.get(from)?.title ?? from })}
              placeholder={depth === 0 ? t('Choose') : t('End here')}
              clearable
              data={[
                ...choices.map(({ key, title, target }) => ({
                  value: key,
                  label: `${title} → ${model.get(target)?.title ?? target}`,
                })),
                ...(isMissing ? [{ value: chosen, label: chosen }] : []),
              ]}
              error={isMissing ? t('Not a relation to one') : undefined}
              value={chosen ?? null}
              clearButtonProps={{ 'aria-label': t('Clear'), tabIndex: 0 }}
              onChange={(key) => onChange([...segments.slice(0, depth), ...(key ? [key] : [])].join('.'))}
            />
          </Fragment>
        );
      })}
    </Group>
  );
}
