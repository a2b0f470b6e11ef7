import { Modal, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { CornerDownLeft, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useRead } from '../api/query.ts';
import { personHere, useSession } from '../api/session.ts';
import { useFocusBack } from '../kit/use-focus-back.ts';
import { entityAddress } from '../parts/entity-anchor.tsx';
import { EntityIcon } from '../parts/entity-icon.tsx';
import { useKnownCommands } from './commands.tsx';
import type { LinkTarget } from './link-target.ts';
import classes from './palette.module.css';
import { bestMatches, readQuestion } from './palette-results.ts';
import { recentEntities } from './recent.ts';

interface Result {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly icon?: React.ReactNode;
  readonly run: () => void;
}

/** The command palette: one field that finds entities, pages and commands. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  useFocusBack(isOpen);
  return (
    <Modal.Root opened={isOpen} onClose={onClose} returnFocus={false} size={640} yOffset="10vh" centered={false}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label="Search and commands">
        <PaletteBody onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  // the key, not the index: results that arrive late must not move the selection
  const [active, setActive] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const list = useId();
  const { results, isSearching, problem } = useResults(text, onClose);
  const place = results.findIndex(({ key }) => key === active);
  const chosen = Math.max(place, Math.min(0, results.length - 1));
  const move = (by: number) => setActive(results[(chosen + by + results.length) % Math.max(results.length, 1)]?.key);
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => {
      // Enter before the results arrived: run the first one when they do
      if (isSearching && place < 0) setEntered(true);
      else results[chosen]?.run();
    },
  };
  const first = results[0];
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered(false);
    first?.run();
  }, [isEntered, isSearching, first]);
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.nativeEvent.isComposing ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, chosen]);
  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="lg"
        px="md"
        py={4}
        leftSection={<Search size={20} aria-hidden="true" />}
        placeholder="Search entities, pages and commands"
        aria-label="Search entities, pages and commands"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={results.length > 0 ? `${list}-${chosen}` : undefined}
        aria-autocomplete="list"
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(undefined);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={list} aria-label="Results" className={classes.list}>
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
          {problem ?? (isSearching ? 'Searching …' : 'Nothing was found. Try fewer letters.')}
        </p>
      )}
      <p className={classes.hints}>
        <span>
          <kbd>&gt;</kbd> commands
        </span>
        <span>
          <kbd>#</kbd> pages
        </span>
        <span>
          <kbd>@</kbd> people and teams
        </span>
      </p>
      <VisuallyHidden role="status">{text === '' ? '' : `${results.length} results`}</VisuallyHidden>
    </>
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
        {isActive && <CornerDownLeft size={14} aria-hidden="true" />}
      </div>
    </>
  );
}

function useResults(
  text: string,
  onClose: () => void,
): { results: Result[]; isSearching: boolean; problem: string | undefined } {
  const { scope, words } = readQuestion(text);
  const [asked] = useDebouncedValue(words, 120);
  const session = useSession();
  const navigate = useNavigate();
  const commands = useKnownCommands();
  const pages = useRead('getSidebar');
  const isEntitySearch = asked !== '' && (scope === 'all' || scope === 'people');
  const found = useRead(
    'topSearch',
    {
      body: { text: asked.slice(0, 200), limit: 12, ...(scope === 'people' ? { blueprints: ['_user', '_team'] } : {}) },
    },
    { isOn: isEntitySearch, keepsPrevious: true },
  );
  const person = personHere(session);
  const recent = useMemo(() => recentEntities(person), [person]);

  const go = (target: LinkTarget) => () => {
    onClose();
    void navigate(target);
  };
  const entity = (group: string, { blueprint, identifier, title, icon }: FoundEntity): Result => ({
    key: `entity ${blueprint} ${identifier}`,
    group,
    title: title ?? identifier,
    note: title && title !== identifier ? `${blueprint} · ${identifier}` : blueprint,
    icon: <EntityIcon name={icon ?? undefined} />,
    run: go(entityAddress(blueprint, identifier)),
  });
  const pageItems = (pages.data?.sidebar.items ?? []).flatMap((item) => (item.sidebarType === 'page' ? [item] : []));
  const results: Result[] = [];
  if (words === '' && scope === 'all')
    results.push(...recent.slice(0, 5).map((each) => entity('Where you were', each)));
  if (isEntitySearch && words !== '')
    results.push(...(found.data?.entities ?? []).map((each) => entity('Entities', each)));
  if (scope === 'all' || scope === 'pages') {
    results.push(
      ...bestMatches(pageItems, words, ({ title, identifier }) => title ?? identifier, scope === 'pages' ? 50 : 5).map(
        ({ identifier, title, icon }) => ({
          key: `page ${identifier}`,
          group: 'Pages',
          title: title ?? identifier,
          icon: <EntityIcon name={icon} />,
          run: go({ to: '/catalog/$page', params: { page: identifier } }),
        }),
      ),
    );
  }
  if (scope === 'all' || scope === 'commands') {
    const offered = commands.filter(({ id, isFor }) => id !== 'palette' && (isFor?.(session) ?? true));
    results.push(
      ...bestMatches(
        offered,
        words,
        ({ label, keywords }) => `${label} ${keywords ?? ''}`,
        scope === 'commands' ? 50 : 6,
      ).map(({ id, label, icon: Icon, run }) => ({
        key: `command ${id}`,
        group: 'Commands',
        title: label,
        icon: Icon && <Icon size={16} aria-hidden="true" />,
        run: () => {
          onClose();
          run();
        },
      })),
    );
  }
  return {
    results,
    isSearching: isEntitySearch && (found.isFetching || asked !== words),
    problem: isEntitySearch && found.error ? `The search failed: ${found.error.message}` : undefined,
  };
}

interface FoundEntity {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly icon?: string | null;
}
