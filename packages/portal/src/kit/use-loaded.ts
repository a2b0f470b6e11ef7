import { useState } from 'react';

/**
 * A part that is loaded when it is asked for; until then what asks for it stays as it is, with the focus. A failure ends
 * in the nearest error boundary.
 */
export function useLoaded<Part>(load: () => Promise<Part>): readonly [Part | undefined, () => Promise<void>] {
  const [loaded, setLoaded] = useState<{ readonly part: Part }>();
  const ask = async () => {
    try {
      const part = await load();
      setLoaded({ part });
    } catch (error) {
      setLoaded(() => {
        throw error;
      });
    }
  };
  return [loaded?.part, ask];
}
