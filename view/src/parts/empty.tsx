// What a screen says when the profile has nothing for it: why, and what to record.
import type { ComponentChildren } from 'preact';

export function Empty(props: { title: string; children: ComponentChildren }) {
  return (
    <section class="empty">
      <h1>{props.title}</h1>
      {props.children}
    </section>
  );
}

export function Command(props: { text: string }) {
  return (
    <pre tabIndex={0}>
      <code>{props.text}</code>
    </pre>
  );
}

export function Failure(props: { message: string }) {
  return (
    <p class="failure" role="alert">
      {props.message}
    </p>
  );
}

export function Loading(props: { what: string }) {
  return (
    <p class="loading" role="status">
      {props.what} …
    </p>
  );
}
