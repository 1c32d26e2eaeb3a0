// What every flame graph carries besides its frames: how it looks, and what clicks and typing do.
// Without the script, as in an image viewer, it is a still picture of the same.
#pragma once

#include <string_view>

namespace pyrometer::flamegraph {

inline constexpr std::string_view kStyle = R"(
svg { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; background: #fff; }
.title { font-size: 17px; font-weight: 600; fill: #1b1f24; }
.note, .legend { font-size: 12px; fill: #57606a; }
.detail { font-size: 12px; fill: #1b1f24; }
.frame text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #15181c; pointer-events: none; }
.frame rect { stroke: #fff; stroke-width: 0.6; cursor: pointer; }
.frame:hover rect { stroke: #1b1f24; stroke-width: 1.2; }
.above rect { opacity: 0.55; }
.searched .frame rect { opacity: 0.25; }
.searched .frame.hit rect { opacity: 1; stroke: #b3005e; stroke-width: 1.4; }
input { box-sizing: border-box; width: 100%; height: 26px; padding: 2px 8px; font-size: 13px; color: #1b1f24; background: #f6f8fa; border: 1px solid #afb8c1; border-radius: 6px; }
@media (prefers-color-scheme: dark) {
  svg { background: #16191d; }
  .title, .detail { fill: #e8eaed; }
  .note, .legend { fill: #a2abb5; }
  .frame rect { stroke: #16191d; }
  .frame:hover rect { stroke: #fff; }
  input { color: #e8eaed; background: #22272e; border-color: #57606a; }
}
)";

// Frames know their share of the whole from where they were drawn.
inline constexpr std::string_view kScript = R"(
(() => {
  const svg = document.currentScript.ownerSVGElement;
  const margin = Number(svg.dataset.margin), letter = 6.62;
  const drawn = Number(svg.dataset.width) - 2 * margin;
  const detail = svg.querySelector('.detail'), input = svg.querySelector('input');
  const search = svg.querySelector('foreignObject'), usual = detail.textContent;
  const frames = [...svg.querySelectorAll('.frame')].map((node) => {
    const rect = node.querySelector('rect');
    return {
      node, rect, text: node.querySelector('text'), title: node.querySelector('title').textContent,
      left: (rect.getAttribute('x') - margin) / drawn, share: rect.getAttribute('width') / drawn,
      y: Number(rect.getAttribute('y')),
    };
  });
  let focus = frames[0];
  if (!focus) return;

  function draw() {
    const room = svg.clientWidth - 2 * margin;
    for (const frame of frames) {
      const from = Math.max(0, (frame.left - focus.left) / focus.share);
      const to = Math.min(1, (frame.left + frame.share - focus.left) / focus.share);
      const isSeen = to - from > 1e-4;
      frame.node.style.display = isSeen ? '' : 'none';
      if (!isSeen) continue;
      frame.node.classList.toggle('above', frame.y < focus.y);
      frame.rect.setAttribute('x', margin + from * room);
      frame.rect.setAttribute('width', (to - from) * room);
      const letters = Math.floor(((to - from) * room - 6) / letter);
      const name = frame.title.slice(0, frame.title.indexOf('\n'));
      frame.text.setAttribute('x', margin + from * room + 3);
      frame.text.textContent =
        letters < 3 ? '' : name.length <= letters ? name : name.slice(0, letters - 1) + '…';
    }
    search.setAttribute('x', svg.clientWidth - margin - search.getAttribute('width'));
  }

  function find() {
    let pattern = null;
    try {
      pattern = input.value && new RegExp(input.value, 'i');
    } catch {
      detail.textContent = 'not a regular expression';
      return;
    }
    let share = 0, end = -1;
    const hits = frames.filter((frame) => pattern && pattern.test(frame.title));
    for (const frame of frames) frame.node.classList.toggle('hit', hits.includes(frame));
    for (const hit of hits.sort((a, b) => a.left - b.left || b.share - a.share)) {
      if (hit.left < end - 1e-9) continue;
      share += hit.share;
      end = hit.left + hit.share;
    }
    svg.classList.toggle('searched', Boolean(pattern));
    detail.textContent = pattern
      ? `${hits.length} frames match, ${(100 * share).toFixed(1)} % of the whole` : usual;
  }

  for (const frame of frames) {
    frame.node.addEventListener('click', () => { focus = frame; draw(); });
    frame.node.addEventListener('mouseenter', () => {
      detail.textContent = frame.title.replace(/\n/g, '   ');
    });
    frame.node.addEventListener('mouseleave', find);
  }
  input.addEventListener('input', find);
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { input.value = ''; focus = frames[0]; find(); draw(); }
    if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
  search.style.display = '';
  if (svg === document.documentElement) {  // a page of its own may be as wide as the window
    svg.setAttribute('width', '100%');
    svg.removeAttribute('viewBox');
    addEventListener('resize', draw);
  }
  draw();
})();
)";

}  // namespace pyrometer::flamegraph
