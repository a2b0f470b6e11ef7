import { LRUCache } from 'lru-cache';

/**
 * Keeps up to `max` values, those that were used last. Its room grows with them: a cache that is told `max` itself takes
 * all its room at once, a mebibyte for 50,000.
 */
export function createGrowingCache<Value extends {}>(max: number): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ maxSize: max, sizeCalculation: () => 1 });
}
