import { Group, Text } from '@mantine/core';
import type { MappedEvent } from '@portolan/jq';
import { CircleCheck, CircleX, Filter } from 'lucide-react';
import type { ReactNode } from 'react';
import { plural, t } from '../../kit/translate.ts';
import { ColourBadge } from '../badges.tsx';
import classes from './mapping.module.css';
import type { MappingPart } from './mapping-document.ts';
import type { ServerResult } from './use-server-check.ts';

const shownMax = 20;

/** The result of one mapping for the sample, with the server's findings if requested. */
export function PartResult({
  part,
  mapped,
  server,
}: {
  part: MappingPart;
  mapped: MappedEvent;
  server: ServerResult | undefined;
}) {
  const refused = server?.refused ?? [];
  return (
    <section className={classes.result} aria-label={part.title}>
      <Group gap="xs" justify="space-between">
        <Text fw={500} dir="auto">
          {part.title}
        </Text>
        <Verdict mapped={mapped} isDelete={isDelete(part)} />
      </Group>
      {mapped.reason && <Text size="sm">{mapped.reason}</Text>}
      {mapped.skipped > 0 && <Text size="sm">{t('{skipped} skipped', { skipped: mapped.skipped })}</Text>}
      {mapped.issues.length > 0 && (
        <ul className={classes.problems}>
          {mapped.issues.slice(0, shownMax).map(({ item, message }) => (
            <li key={`${item} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {mapped.items.slice(0, shownMax).map(({ item, body }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <pre key={item} className={classes.entity} tabIndex={0}>
          {JSON.stringify(part.blueprint ? { blueprint: part.blueprint, ...body } : body, null, 2)}
        </pre>
      ))}
      {mapped.items.length > shownMax && (
        <Text size="sm">{t('and {value} more', { value: mapped.items.length - shownMax })}</Text>
      )}
      <Said title={t('The catalog would refuse')}>
        {refused.map(({ entity, message }) => (
          <li key={`${entity} ${message}`}>
            <code>{entity}</code>: {message}
          </li>
        ))}
      </Said>
      <Said title={t('The catalog would write it otherwise')}>
        {(server?.warnings ?? []).map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </Said>
    </section>
  );
}

/** The server's findings; renders nothing if there are none. */
function Said({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <ul className={classes.problems}>{children}</ul>
    </div>
  );
}

function Verdict({ mapped, isDelete: deletes }: { mapped: MappedEvent; isDelete: boolean }) {
  if (mapped.isFiltered) {
    return (
      <ColourBadge colour="lightGray" icon={Filter}>
        {t('Passed over')}
      </ColourBadge>
    );
  }
  const count = mapped.items.length;
  if (mapped.isFailed || count === 0) {
    return (
      <ColourBadge colour="red" icon={CircleX}>
        {t('Nothing comes of it')}
      </ColourBadge>
    );
  }
  const found = deletes
    ? plural(count, '{count} entity to delete', '{count} entities to delete')
    : plural(count, '{count} entity', '{count} entities');
  return (
    <ColourBadge
      colour={mapped.issues.length > 0 ? 'gold' : 'green'}
      icon={mapped.issues.length > 0 ? CircleX : CircleCheck}
    >
      {found}
    </ColourBadge>
  );
}

function isDelete({ mapping: { operation } }: MappingPart): boolean {
  return operation === 'delete' || (operation as { type?: unknown } | null | undefined)?.type === 'delete';
}
