/** A picture on which users comment. */
export function Sketch() {
  return (
    <svg id="sketch" width="100%" viewBox="0 0 640 180" role="img" aria-label="Sketch of the first screen">
      <rect width="640" height="180" rx="12" fill="#eef0f6" />
      <rect x="20" y="20" width="140" height="140" rx="8" fill="#252a41" />
      <path d="M36 46h64M36 76h104M36 98h104M36 120h80" stroke="#8f97c4" strokeWidth="8" strokeLinecap="round" />
      {[184, 332, 480].map((x) => (
        <g key={x} transform={`translate(${x} 20)`}>
          <rect width="132" height="140" rx="8" fill="#ffffff" />
          <path d="M18 22h60" stroke="#8b93ad" strokeWidth="8" strokeLinecap="round" />
          <path d="M14 44h104v34H14zM14 90h104v34H14z" fill={x === 332 ? "#ddd6fe" : "#e4e7f0"} />
        </g>
      ))}
    </svg>
  );
}
