import { Button, Group, Stack, Title } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { withKey } from '../../kit/json-value.ts';
import { issueAt } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import { unreadableCalculations, useUnreadable } from '../../parts/actions/use-unreadable.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { kindLabel } from '../../parts/property-kinds.ts';
import { AggregationForm } from './aggregation-form.tsx';
import { draftKeys, type MapName } from './blueprint-draft.ts';
import { CalculationForm } from './calculation-form.tsx';
import { MirrorForm } from './mirror-form.tsx';
import { type Part, PartList } from './part-list.tsx';
import { RenamePart } from './rename-part.tsx';
import type { TabProps } from './tab-props.ts';

type ComputedMap = Exclude<MapName, 'relations'>;

/** Mirror, calculation and aggregation properties. */
export function ComputedTab(props: TabProps) {
  const { draft, onChange, blueprints, saved, isDirty } = props;
  const issues = [...props.issues, ...useUnreadable(draft.calculationProperties, unreadableCalculations)];
  const [edited, setEdited] = useState<{ readonly map: ComputedMap; readonly key: string | undefined }>();
  const [renamed, setRenamed] = useState<string>();
  const put = (map: ComputedMap, key: string, value: unknown) => {
    onChange({ ...draft, [map]: withKey(draft[map] as Record<string, unknown>, key, value) });
    setEdited(undefined);
  };
  const part = (map: ComputedMap, key: string, title: string | undefined, kind: string, detail: string): Part => ({
    key,
    title: title ?? key,
    kind: <ColourBadge colour="turquoise">{kind}</ColourBadge>,
    detail: <code>{detail}</code>,
    problem: issueAt(issues, map, key),
  });
  const form = edited && {
    initialKey: edited.key,
    draft,
    blueprints,
    taken: draftKeys(draft),
    onClose: () => setEdited(undefined),
    onDone: (key: string, value: unknown) => put(edited.map, key, value),
  };
  const section = (map: ComputedMap, title: string, add: string, empty: string, parts: readonly Part[]) => (
    <section aria-labelledby={map}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3" id={map}>
          {title}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => setEdited({ map, key: undefined })}
        >
          {add}
        </Button>
      </Group>
      <PartList
        label={title}
        parts={parts}
        onEdit={(key) => setEdited({ map, key })}
        {...(map === 'mirrorProperties' ? { onRename: setRenamed } : {})}
        onRemove={(key) => put(map, key, undefined)}
        empty={{ title: t('There are no {title}', { title: title.toLowerCase() }), text: empty }}
      />
    </section>
  );
  return (
    <Stack gap="xl">
      {section(
        'mirrorProperties',
        t('Mirrors'),
        t('Add mirror'),
        t('A mirror shows a value of a related entity.'),
        Object.entries(draft.mirrorProperties).map(([key, { title, path }]) =>
          part('mirrorProperties', key, title, t('Mirror'), path),
        ),
      )}
      {section(
        'calculationProperties',
        t('Calculations'),
        t('Add calculation'),
        t('A calculation is a jq expression over the entity.'),
        Object.entries(draft.calculationProperties).map(([key, value]) =>
          part('calculationProperties', key, value.title, kindLabel(value), value.calculation),
        ),
      )}
      {section(
        'aggregationProperties',
        t('Aggregations'),
        t('Add aggregation'),
        t('An aggregation counts or sums up what points here.'),
        Object.entries(draft.aggregationProperties).map(([key, { title, target, calculationSpec: spec }]) =>
          part(
            'aggregationProperties',
            key,
            title,
            t('Number'),
            t('{func} of {target}{word}', {
              func: spec.func,
              target,
              word: spec['property'] ? `.${String(spec['property'])}` : '',
            }),
          ),
        ),
      )}
      {form && edited?.map === 'mirrorProperties' && <MirrorForm {...form} />}
      {form && edited?.map === 'calculationProperties' && <CalculationForm {...form} />}
      {form && edited?.map === 'aggregationProperties' && <AggregationForm {...form} />}
      {renamed !== undefined && (
        <RenamePart
          blueprint={saved.identifier}
          part={renamed}
          what="mirror"
          isDirty={isDirty}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </Stack>
  );
}
