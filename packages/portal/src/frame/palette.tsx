import { VisuallyHidden } from '@mantine/core';
import { ChevronRight, CornerDownLeft, Search, Users } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../kit/translate.ts';
import { useFocusBack } from '../kit/use-focus-back.ts';
import classes from './palette.module.css';
import { keepOrder, scoreMatch } from './palette-results.ts';
import { type FoundEntity, type Result, useResults } from './palette-search.tsx';

const EntityActions = lazy(async () => ({ default: (await import('./palette-actions.tsx')).EntityActions }));

/**
 * The command palette: one field that finds entities, pages and commands. A native dialog of the first load: it has the
 * focus before the next key arrives. `initial` is what was typed before the frame was there.
 */
export function Palette({ isOpen, onClose, initial }: { isOpen: boolean; onClose: () => void; initial?: string }) {
  if (!isOpen) return null;
  return <OpenPalette onClose={onClose} initial={initial ?? ''} />;
}

function OpenPalette({ onClose, initial }: { onClose: () => void; initial: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useFocusBack(true);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector('input')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-modal="true"
      aria-label={t('Search and commands')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <PaletteBody onClose={onClose} initial={initial} />
    </dialog>
  );
}

function PaletteBody({ onClose, initial }: { onClose: () => void; initial: string }) {
  const [text, setText] = useState(initial);
  // the key, not the index: results that arrive late must not move the selection
  const [active, setActive] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const [subject, setSubject] = useState<FoundEntity>();
  const list = useId();
  const found = useResults(text, onClose);
  const [actions, setActions] = useState<readonly Result[]>([]);
  const order = useRef<readonly string[]>([]);
  const fitting = subject ? actions.filter(({ title }) => scoreMatch(title, text) > 0) : found.results;
  // what is selected stays where it is: what comes later stands below
  const results = active === undefined ? fitting : keepOrder(fitting, order.current);
  useEffect(() => {
    order.current = results.map(({ key }) => key);
  });
  const isSearching = subject ? actions.length === 0 : found.isSearching;
  const place = results.findIndex(({ key }) => key === active);
  const chosen = Math.max(place, Math.min(0, results.length - 1));
  const current = results[chosen];
  const move = (by: number): true => {
    setActive(results[(chosen + by + results.length) % Math.max(results.length, 1)]?.key);
    return true;
  };
  const begin = (next: FoundEntity | undefined): true => {
    setSubject(next);
    setActions([]);
    setText('');
    setActive(undefined);
    return true;
  };
  const goBack = (): boolean => subject !== undefined && text === '' && begin(undefined);
  const keys: Record<string, (event: KeyboardEvent<HTMLInputElement>) => boolean> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ArrowRight: ({ currentTarget: field }) => {
      if (subject || !current?.entity || field.selectionStart !== field.value.length) return false;
      return begin(current.entity);
    },
    ArrowLeft: goBack,
    Backspace: goBack,
    Enter: () => {
      // Enter before the results arrived: run the first one when they do
      if (isSearching && place < 0) setEntered(true);
      else current?.run();
      return true;
    },
  };
  const first = results[0];
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered(false);
    first?.run();
  }, [isEntered, isSearching, first]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (keys[event.key]?.(event)) event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, chosen]);
  const label = subject
    ? t('Actions on {title}', { title: subject.title ?? subject.identifier })
    : t('Search entities, pages and commands');
  return (
    <>
      {subject && (
        <Suspense fallback={null}>
          <EntityActions entity={subject} onClose={onClose} onFound={setActions} />
        </Suspense>
      )}
      <div className={classes.field}>
        <Search size={20} aria-hidden="true" />
        <input
          type="text"
          placeholder={label}
          aria-label={label}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={results.length > 0 ? `${list}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setActive(undefined);
            setEntered(false);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={list} aria-label={t('Results')} className={classes.list}>
        {results.map((result, index) => (
          <Option
            key={result.key}
            id={`${list}-${index}`}
            result={result}
            isActive={index === chosen}
            heading={result.group === results[index - 1]?.group ? undefined : result.group}
            onPoint={() => setActive(result.key)}
          />
        ))}
      </div>
      {results.length === 0 && (
        <p className={classes.nothing}>
          {(!subject && found.problem) ||
            (isSearching ? t('Searching …') : t('No match for “{text}”. Try fewer letters.', { text }))}
        </p>
      )}
      <Hints isForEntity={current?.entity !== undefined} isSecond={subject !== undefined} />
      <VisuallyHidden role="status">
        {text === '' ? '' : t('{count} results', { count: results.length })}
      </VisuallyHidden>
    </>
  );
}

function Hints({ isForEntity, isSecond }: { isForEntity: boolean; isSecond: boolean }) {
  const hints: readonly (readonly [string, string])[] = isSecond
    ? [['←', 'back']]
    : [
        ...(isForEntity ? ([['→', 'actions']] as const) : []),
        ['>', 'commands'],
        ['#', 'pages'],
        ['@', t('people and teams')],
      ];
  return (
    <p className={classes.hints}>
      {hints.map(([key, meaning]) => (
        <span key={key}>
          <kbd>{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  );
}

function Option({
  id,
  result,
  isActive,
  heading,
  onPoint,
}: {
  id: string;
  result: Result;
  isActive: boolean;
  heading: string | undefined;
  onPoint: () => void;
}) {
  return (
    <>
      {heading && (
        <div role="presentation" className={classes.heading}>
          {heading}
        </div>
      )}
      <div
        role="option"
        id={id}
        aria-selected={isActive}
        className={classes.option}
        onClick={result.run}
        onMouseMove={onPoint}
      >
        {result.icon}
        <span className={classes.title}>{result.title}</span>
        {result.note && <span className={classes.note}>{result.note}</span>}
        {result.owner && (
          <span className={classes.owner}>
            <Users size={14} aria-hidden="true" />
            <VisuallyHidden>{t('Owner')}</VisuallyHidden>
            <span dir="auto">{result.owner}</span>
          </span>
        )}
        {isActive &&
          (result.entity ? (
            <ChevronRight size={14} aria-hidden="true" />
          ) : (
            <CornerDownLeft size={14} aria-hidden="true" />
          ))}
      </div>
    </>
  );
}
