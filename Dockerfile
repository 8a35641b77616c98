# Two stages: the build has pip and the sources, the image has the environment alone.
FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /app
COPY requirements-strong.lock ./
RUN /app/bin/pip install --no-cache-dir --require-hashes -r requirements-strong.lock
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
COPY examples/web ./examples/web
COPY clients/typescript/client.js ./clients/typescript/
RUN pip wheel --no-cache-dir --no-deps -w /dist . \
    && /app/bin/pip install --no-cache-dir --no-deps /dist/*.whl

FROM python:3.11-slim
RUN useradd --system --uid 10001 terziglio \
    && install -d -o terziglio /data /compiled
COPY --from=build /app /app
USER terziglio
# The solver is compiled here, not in somebody's first hand. numba writes where it reads,
# and compiles anew on a processor that is not this one.
ENV NUMBA_CACHE_DIR=/compiled
RUN ["/app/bin/terziglio", "warm"]
ENV TERZIGLIO_HOST=0.0.0.0 TERZIGLIO_PORT=8000 TERZIGLIO_DATABASE=/data/tables.sqlite3
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/app/bin/python", "-c", \
  "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["/app/bin/terziglio", "serve"]
