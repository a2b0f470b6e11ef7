import { Button, Group, Title } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { EntityExplorer } from '../../parts/entities/entity-explorer.tsx';
import type { Rule } from '../../parts/entities/operators.ts';

/** The entities behind a figure. */
export function FoundEntities({
  blueprint,
  label,
  rule,
  onClose,
  children,
}: {
  blueprint: string;
  label: string;
  rule: Rule;
  onClose: () => void;
  /** Below the entities. */
  children?: ReactNode;
}) {
  const text = JSON.stringify(rule);
  const dataset = useMemo(() => ({ combinator: 'and' as const, rules: [JSON.parse(text) as Rule] }), [text]);
  return (
    <section className={surfaces.block} aria-label={label}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" dir="auto">
          {label}
        </Title>
        <Button size="compact-sm" variant="subtle" onClick={onClose}>
          {t('Close list')}
        </Button>
      </Group>
      <EntityExplorer blueprint={blueprint} label={label} dataset={dataset} name="found" isCompact />
      {children}
    </section>
  );
}
