"""How drawings of pages look."""

WIREFRAME_CSS = """\
.wireframe { container-type: inline-size; margin: .8rem 0; max-width: 47.5rem; }
.wireframe svg { display: block; width: 100%; max-width: none; height: auto; margin: 0; }
.wf-sheet { fill: var(--paper); stroke: var(--line); stroke-width: 2; }
.wf-background { fill: none; stroke: var(--soft); stroke-opacity: .4; }
.wf-right { fill-opacity: .2; stroke-width: 1.5; }
.wf-unknown { fill: var(--tint); stroke: var(--soft); stroke-width: 1.5;
              stroke-dasharray: 1.5 3; stroke-linecap: round; }
.wf-wrong { fill: var(--bad); fill-opacity: .1; stroke: var(--bad); stroke-width: 2.5;
            stroke-dasharray: 7 4; }
.wf-cut { fill: var(--tint); stroke: var(--soft); stroke-dasharray: 2 4; }
.wireframe foreignObject { overflow: hidden; color: var(--ink); font-size: 8px; line-height: 9px;
                           unicode-bidi: plaintext; }
.wireframe foreignObject.wf-soft { color: var(--soft); }
.wireframe svg text { font-size: 12px; font-weight: 500; fill: #fff; }
.wireframe svg .wf-on-bad text { fill: var(--paper); }
.wireframe svg .wf-cut-text { fill: var(--soft); text-anchor: middle; font-size: 12px; }
.wf-tag:not([fill]) { fill: #5b6b76; }
.wf-bad { fill: var(--bad); stroke: var(--paper); }
.wf-line { stroke: var(--bad); stroke-width: 1.5; fill: none; }
.wf-narrow { display: none; }
@container (max-width: 32rem) {
  .wf-wide { display: none; }
  .wf-narrow { display: inline; }
  .wireframe svg .wf-wrong { stroke-width: 4; }
  .wireframe svg text, .wireframe svg .wf-cut-text { font-size: 20px; }
}
.wf-note { color: var(--soft); font-size: .85rem; margin: .3rem 0; }
.wireframe summary { font-size: .93rem; }
.wf-lines { list-style: none; margin: .4rem 0; padding: 0; font-size: .88rem; line-height: 1.45; }
.wf-lines li { padding: .15rem .6rem; margin: 2px 0; border-left: 4px solid var(--line);
               overflow: hidden; overflow-wrap: anywhere; }
.wf-lines i { font-style: normal; color: var(--soft); margin-right: .3rem; }
.wf-lines b { font-weight: 600; margin-right: .3rem; }
.wf-lines .wf-right { border-left-color: var(--good); }
.wf-lines .wf-wrong { border-left: 4px dashed var(--bad); background: var(--tint); }
.wf-lines .wf-wrong b { color: var(--bad); }
.wf-lines .wf-unknown { color: var(--soft); border-left-style: dotted; }
.wf-lines .wf-background { color: var(--soft); }
.wf-legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0;
             margin: .6rem 0; font-size: .88rem; }
.wf-legend svg { display: inline-block; width: 1.4rem; height: .9rem; margin: 0 .2rem 0 0;
                 vertical-align: -.1rem; }
@media (prefers-color-scheme: dark) {
  .wf-right { filter: brightness(1.5); }
  .wf-lines .wf-right { filter: none; }
}
@media print { .wireframe { break-inside: avoid; } }
"""
"""For :func:`structce.experiments.telling.wireframes.draw_wireframe` and its legend.

It asks for the variables ``--paper``, ``--ink``, ``--soft``, ``--line``, ``--tint``, ``--good`` and
``--bad`` of the page around it.
"""
