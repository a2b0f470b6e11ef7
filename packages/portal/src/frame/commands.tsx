import { createContext, type ReactNode, use, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { ReadingOnly } from '../kit/reading-only.ts';
import type { Command } from './area.ts';
import { useShortcuts } from './keys.ts';

interface CommandRegistry {
  readonly commands: readonly Command[];
  readonly register: (commands: () => readonly Command[]) => () => void;
}

const Registry = createContext<CommandRegistry>({ commands: [], register: () => () => {} });

/** Collects the commands available now and runs them by their shortcuts. */
export function CommandProvider({ children }: { children: ReactNode }) {
  const [sources, setSources] = useState<readonly (() => readonly Command[])[]>([]);
  const commands = useMemo(() => sources.flatMap((source) => source()), [sources]);
  const registry = useMemo<CommandRegistry>(
    () => ({
      commands,
      register: (source) => {
        setSources((before) => [...before, source]);
        return () => setSources((before) => before.filter((each) => each !== source));
      },
    }),
    [commands],
  );
  useShortcuts(commands.flatMap(({ keys, run }) => (keys ? [{ keys, run }] : [])));
  return <Registry value={registry}>{children}</Registry>;
}

/** Every command available now. */
export function useKnownCommands(): readonly Command[] {
  return useContext(Registry).commands;
}

const none: readonly Command[] = [];

/**
 * Registers commands for the palette, the shortcut sheet and their keys while the component is mounted. Registers again
 * when an id, label or key changes; `run` is always the latest. Within what may only be read there are none.
 */
export function useCommands(given: readonly Command[]): void {
  const commands = use(ReadingOnly) ? none : given;
  const { register } = useContext(Registry);
  const latest = useRef(commands);
  latest.current = commands;
  const signature = commands.map(({ id, label, keys }) => `${id} ${label} ${keys ?? ''}`).join('\n');
  const registerRef = useRef(register);
  registerRef.current = register;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the commands, which are new at each drawing
  useEffect(
    () =>
      registerRef.current(() =>
        latest.current.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() })),
      ),
    [signature],
  );
}
