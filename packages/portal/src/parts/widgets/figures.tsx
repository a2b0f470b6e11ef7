import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { FigureTable } from './figure-table.tsx';

export interface Figures {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

interface Frame {
  readonly isTable: boolean;
  /** Offers figures to the menu of the widget until the returned function is called. */
  readonly offer: (read: () => Figures) => () => void;
}

const Framed = createContext<Frame | undefined>(undefined);

export const FigureFrame = Framed.Provider;

/** What a widget's menu knows of the figures in its body. */
export function useFigures() {
  const offered = useRef(new Set<() => Figures>());
  const [count, setCount] = useState(0);
  const [isTable, setTable] = useState(false);
  const offer = useCallback((read: () => Figures) => {
    offered.current.add(read);
    setCount(offered.current.size);
    return () => {
      offered.current.delete(read);
      setCount(offered.current.size);
    };
  }, []);
  const frame = useMemo(() => ({ isTable, offer }), [isTable, offer]);
  const read = () => [...offered.current].map((each) => each());
  return { frame, isTable, setTable, hasFigures: count > 0, read };
}

/** A chart and its figures: the widget's menu shows them as a table and saves them. */
export function ChartOrTable({ label, heads, rows, children }: Figures & { children: ReactNode }) {
  const frame = useContext(Framed);
  const latest = useRef<Figures>({ label, heads, rows });
  latest.current = { label, heads, rows };
  const offer = frame?.offer;
  useEffect(() => offer?.(() => latest.current), [offer]);
  return frame?.isTable ? <FigureTable label={label} heads={heads} rows={rows} /> : children;
}
