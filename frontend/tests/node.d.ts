/** The little of Node's own modules that the tests use. */

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
}

declare module "node:assert/strict" {
  export function equal<T>(found: T, expected: T): void;
  export function deepEqual<T>(found: T, expected: T): void;
  export function match(found: string, expected: RegExp): void;
  export function rejects(running: Promise<unknown>): Promise<void>;
  export function ok(found: unknown): asserts found;
}
