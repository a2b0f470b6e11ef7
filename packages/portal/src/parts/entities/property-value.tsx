import { Anchor, Code } from '@mantine/core';
import { Check, ExternalLink, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { HoverCard } from '../../kit/hover-card.tsx';
import { locale } from '../../kit/language.ts';
import { Markdown } from '../../kit/markdown.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { safeLink } from '../../kit/safe-link.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { ColourBadge, PersonBadge, TeamName } from '../badges.tsx';
import { EntityAnchor } from '../entity-anchor.tsx';
import classes from './entities.module.css';
import { type Field, type FieldShape, shownShape } from './fields.ts';
import { type Titles, titleKey } from './titles.ts';

export interface Names {
  readonly titles: Titles;
  readonly teamName: (value: string) => string;
  readonly teamsHavePages: boolean;
}

/** A formatted value. `isWhole` shows long texts and objects in full, as on an entity's screen. */
export function PropertyValue({
  field,
  value,
  names,
  isWhole = false,
}: {
  field: Field;
  value: unknown;
  names: Names;
  isWhole?: boolean;
}): ReactNode {
  if (value === undefined || value === null || value === '') {
    return (
      <span className={classes.dimmed} role="img" aria-label={t('empty')}>
        –
      </span>
    );
  }
  if (field.source === 'relation')
    return <RelationValue field={field} value={value} titles={names.titles} isWhole={isWhole} />;
  if (field.source === 'scorecard')
    return <ColourBadge colour={field.levels?.[String(value)]}>{String(value)}</ColourBadge>;
  if (Array.isArray(value)) {
    const { items, enumColors } = shownShape(field);
    const shape = { ...items, enumColors: items?.enumColors ?? enumColors };
    if (value.length === 0) return <span className={classes.dimmed}>{t('none')}</span>;
    return (
      <List
        values={value}
        draw={(each) => <One shape={shape} value={each} names={names} isWhole={isWhole} />}
        isWhole={isWhole}
        isPlain={!shape.enum && !shape.enumColors && !['team', 'user'].includes(shape.format ?? '')}
      />
    );
  }
  return <One shape={shownShape(field)} value={value} names={names} isWhole={isWhole} />;
}

const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
const momentFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

const shownInCell = 3;
const shownWhole = 100;

function List({
  values,
  draw,
  isWhole,
  isPlain,
}: {
  values: readonly unknown[];
  draw: (value: unknown) => ReactNode;
  isWhole: boolean;
  /** Plain words, without badges. */
  isPlain: boolean;
}) {
  const shown = values.slice(0, isWhole ? shownWhole : shownInCell);
  return (
    <span className={isWhole ? classes.chipsWhole : classes.chips}>
      {shown.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat, and nothing in them has a state
        <span key={index} className={classes.chip} data-plain={isPlain || undefined}>
          {draw(each)}
        </span>
      ))}
      {values.length > shown.length && (
        <HoverCard
          position="bottom"
          className={classes.card}
          target={
            <button
              type="button"
              className={classes.more}
              aria-label={t('{value} more', { value: values.length - shown.length })}
            >
              +{values.length - shown.length}
            </button>
          }
        >
          <span className={classes.chipsWhole}>
            {values.slice(shown.length, shown.length + 60).map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: chips of one value have no other key and never move
              <span key={index}>{draw(each)}</span>
            ))}
          </span>
        </HoverCard>
      )}
    </span>
  );
}

function RelationValue({
  field,
  value,
  titles,
  isWhole,
}: {
  field: Field;
  value: unknown;
  titles: Titles;
  isWhole: boolean;
}) {
  const target = field.target ?? '';
  const draw = (each: unknown) => {
    // an object if read together with its title, otherwise the identifier
    const { identifier, title } =
      typeof each === 'object' && each !== null
        ? (each as { identifier?: string; title?: string })
        : { identifier: String(each), title: undefined };
    const name = title ?? titles.get(titleKey(target, identifier ?? ''));
    return <EntityAnchor blueprint={target} identifier={identifier ?? ''} title={name} />;
  };
  if (!Array.isArray(value)) return draw(value);
  return value.length === 0 ? (
    <span className={classes.dimmed}>{t('none')}</span>
  ) : (
    <List values={value} draw={draw} isWhole={isWhole} isPlain />
  );
}

function One({
  shape,
  value,
  names,
  isWhole,
}: {
  shape: FieldShape;
  value: unknown;
  names: Names;
  isWhole: boolean;
}): ReactNode {
  if (value === null || value === undefined) return <span className={classes.dimmed}>–</span>;
  if (typeof value === 'boolean') return <Truth value={value} />;
  const colour = (shape.enumColors ?? (shape['colors'] as FieldShape['enumColors']))?.[String(value)];
  if (shape.enum || colour) return <ColourBadge colour={colour ?? 'lightGray'}>{String(value)}</ColourBadge>;
  if (typeof value === 'number') return <span className={classes.number}>{numberFormat.format(value)}</span>;
  if (typeof value === 'object') return <ObjectValue shape={shape} value={value} isWhole={isWhole} />;
  return <TextValue shape={shape} value={String(value)} names={names} isWhole={isWhole} />;
}

function TextValue({
  shape,
  value,
  names,
  isWhole,
}: {
  shape: FieldShape;
  value: string;
  names: Names;
  isWhole: boolean;
}): ReactNode {
  switch (shape.format) {
    case 'url':
      return <WebLink address={value} isWhole={isWhole} />;
    case 'email':
    case 'idn-email':
      return <Anchor href={`mailto:${value}`}>{value}</Anchor>;
    case 'user':
      return <PersonBadge email={value} />;
    case 'team':
      return <TeamName identifier={value} name={names.teamName(value)} hasPage={names.teamsHavePages} />;
    case 'date-time':
      return <Moment value={value} dateFormat={shape['dateFormat']} />;
    case 'timer':
      return <Timer value={value} />;
    case 'markdown':
      return isWhole ? <Markdown text={value} /> : <span>{firstLine(value)}</span>;
    case 'yaml':
    case 'proto':
      return isWhole ? (
        <Code block tabIndex={0} className={classes.code ?? ''}>
          {value}
        </Code>
      ) : (
        <Code>{firstLine(value)}</Code>
      );
    default:
      return (
        <span dir="auto" className={isWhole ? classes.text : undefined}>
          {isWhole ? value : firstLine(value)}
        </span>
      );
  }
}

function firstLine(text: string): string {
  const line =
    text
      .slice(0, 300)
      .split('\n')
      .find((each) => each.trim() !== '') ?? '';
  return line.replace(/^#+\s*/, '');
}

function WebLink({ address, label, isWhole }: { address: string; label?: string | undefined; isWhole: boolean }) {
  const safe = safeLink(address);
  const text = label || (isWhole ? address : address.replace(/^https?:\/\//, ''));
  if (!safe) return <span>{text}</span>;
  return (
    <Anchor href={safe} target="_blank" rel="noopener noreferrer" className={classes.link ?? ''} title={address}>
      <span className={classes.linkText}>{text}</span>
      <ExternalLink size={12} aria-hidden="true" />
    </Anchor>
  );
}

function ObjectValue({ shape, value, isWhole }: { shape: FieldShape; value: object; isWhole: boolean }) {
  const { url, displayText } = value as { url?: unknown; displayText?: unknown };
  if (shape.format === 'labeled-url' && typeof url === 'string') {
    return (
      <WebLink address={url} label={typeof displayText === 'string' ? displayText : undefined} isWhole={isWhole} />
    );
  }
  if (isWhole)
    return (
      <Code block tabIndex={0} className={classes.code ?? ''}>
        {JSON.stringify(value, null, 2)}
      </Code>
    );
  return <Code>{JSON.stringify(value).slice(0, 120)}</Code>;
}

function Truth({ value }: { value: boolean }) {
  return (
    <span className={classes.truth}>
      {value ? <Check size={14} aria-hidden="true" /> : <Minus size={14} aria-hidden="true" />}
      {value ? t('Yes') : t('No')}
    </span>
  );
}

function Moment({ value, dateFormat }: { value: string; dateFormat: unknown }) {
  const moment = new Date(value);
  if (dateFormat === undefined || dateFormat === 'relative' || Number.isNaN(moment.getTime()))
    return <RelativeTime at={value} />;
  return (
    <time dateTime={value} title={exact(moment)}>
      {momentFormat.format(moment)}
    </time>
  );
}

function Timer({ value }: { value: string }) {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return <span>{value}</span>;
  if (moment.getTime() <= Date.now()) return <ColourBadge colour="darkGray">{t('Expired')}</ColourBadge>;
  return (
    <span>
      <Sentence text="expires <time/>" parts={{ time: <RelativeTime at={value} /> }} />
    </span>
  );
}

/** The value as plain text, for exports and accessible names. */
export function plainText(field: Field, value: unknown, names: Names): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => plainText(field, each, names)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  const format = field.shape.format ?? field.shape.items?.format;
  if (format === 'team') return names.teamName(String(value));
  if (field.source === 'relation')
    return names.titles.get(titleKey(field.target ?? '', String(value))) ?? String(value);
  return String(value);
}
