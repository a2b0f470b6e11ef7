import classes from './kit.module.css';

/** The first letters of a name in a circle, beside which the name itself stands. */
export function Initials({ name, size }: { name: string; size: number }) {
  const words = name
    .split(/[\s.@_-]+/)
    .filter(Boolean)
    .slice(0, name.includes('@') ? 1 : 2);
  return (
    <span className={classes.initials} style={{ width: size, height: size, fontSize: size * 0.4 }} aria-hidden="true">
      {words.map((word) => [...word][0]?.toLocaleUpperCase()).join('')}
    </span>
  );
}
