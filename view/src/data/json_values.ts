// Members of JSON documents as the types they should have; anything else is an error with a sentence.

export type JsonObject = Readonly<Record<string, unknown>>;

function wrong(what: string): Error {
  return new Error(`The answer is damaged: ${what}.`);
}

export function objectOf(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${what} is no object`);
  return value as JsonObject;
}

export function listIn(from: JsonObject, name: string): readonly unknown[] {
  const value = from[name];
  if (!Array.isArray(value)) throw wrong(`${name} is no list`);
  return value as readonly unknown[];
}

export function numberIn(from: JsonObject, name: string): number {
  const value = from[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(`${name} is no number`);
  return value;
}

// null where there is none.
export function optionalNumberIn(from: JsonObject, name: string): number | null {
  return from[name] === null || from[name] === undefined ? null : numberIn(from, name);
}

export function textIn(from: JsonObject, name: string): string {
  const value = from[name];
  if (typeof value !== 'string') throw wrong(`${name} is no text`);
  return value;
}

export function optionalTextIn(from: JsonObject, name: string): string {
  return from[name] === undefined ? '' : textIn(from, name);
}

export function unitIn(from: JsonObject): 'ns' | 'bytes' | 'count' {
  const unit = from['unit'];
  if (unit !== 'ns' && unit !== 'bytes' && unit !== 'count') throw wrong('the unit is unknown');
  return unit;
}
