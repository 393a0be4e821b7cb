//! The edge to the network: the only async code. Reads each request whole, hands it to a thread where pages are made, and
//! keeps the streams of live events. Never looks into the database.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{self, HeaderValue, StatusCode};
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_stream::wrappers::ReceiverStream;
use tower_http::compression::CompressionLayer;

use crate::web::app::App;
use crate::web::live::{self, Listener as Hearer};
use crate::web::pages;
use crate::web::reply::{self, Reply};
use crate::web::request::{Request, Unreadable};

/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(60);
/// How long open requests may take once the server is to stop.
const FAREWELL: Duration = Duration::from_secs(5);
/// How often it is looked whether the server is to stop.
const LOOK: Duration = Duration::from_millis(100);
/// Threads on which pages are made. More would only wait for the database and the cores.
const PAGE_THREADS: usize = 32;
/// Connections at once.
const MAX_CONNECTIONS: usize = 8192;
/// Events waiting for a slow connection.
const STREAM_BACKLOG: usize = 64;
/// How often a silent stream says that it is there.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Serves until `is_stopped` says so.
///
/// # Errors
/// When the system refuses what a server needs.
pub(crate) fn run(
    app: &Arc<App>,
    listener: std::net::TcpListener,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> io::Result<()> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime =
        builder.worker_threads(2).max_blocking_threads(PAGE_THREADS).enable_io().enable_time().build()?;
    let done = runtime.block_on(serve(app, listener, is_stopped));
    // What still runs on other threads has nothing to say any more.
    runtime.shutdown_timeout(FAREWELL);
    done
}

async fn serve(
    app: &Arc<App>,
    listener: std::net::TcpListener,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = Doorkeeper {
        listener: TcpListener::from_std(listener)?,
        seats: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
    };
    let (stop, stopped) = watch::channel(false);
    let state = (Arc::clone(app), stopped.clone());
    let answer = move |ConnectInfo(Caller(address)): ConnectInfo<Caller>, request: http::Request<Body>| {
        answer(state.clone(), address, request)
    };
    let router = Router::new().fallback(answer).layer(CompressionLayer::new());
    let service = router.into_make_service_with_connect_info::<Caller>();
    let mut farewell = stopped;
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        let _ = farewell.wait_for(|stop| *stop).await;
    });
    let serving = serving.into_future();
    tokio::pin!(serving);
    loop {
        tokio::select! {
            done = &mut serving => return done,
            () = tokio::time::sleep(LOOK) => if is_stopped() { break },
        }
    }
    let _ = stop.send(true);
    tokio::time::timeout(FAREWELL, serving).await.unwrap_or(Ok(()))
}

async fn answer(
    (app, stopped): (Arc<App>, watch::Receiver<bool>),
    address: IpAddr,
    request: http::Request<Body>,
) -> Reply {
    let is_head = request.method() == http::Method::HEAD;
    let forwarded = Request::forwarded_for(request.headers()).filter(|_| app.is_behind_proxy);
    let address = forwarded.unwrap_or(address);
    let read = match tokio::time::timeout(ARRIVAL, Request::read(request, address)).await {
        Ok(Ok(read)) => read,
        Ok(Err(unreadable)) => return reply::with_protection(refused(unreadable)),
        Err(_) => return reply::with_protection(plain(StatusCode::REQUEST_TIMEOUT, "too slow")),
    };
    let pages = Arc::clone(&app);
    let made = tokio::task::spawn_blocking(move || pages::answer(&pages, &read)).await;
    let made = match made {
        Ok(pages::Answer::Reply(reply)) => reply,
        Ok(pages::Answer::Stream(hearer)) => stream(&app, hearer, stopped),
        // A page that panicked is a fault of ours; the others go on.
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "the server failed to make this page"),
    };
    let mut made = reply::with_protection(made);
    if is_head {
        *made.body_mut() = Body::empty();
    }
    made
}

fn plain(status: StatusCode, text: &'static str) -> Reply {
    reply::of(status, "text/plain; charset=utf-8", text)
}

fn refused(unreadable: Unreadable) -> Reply {
    match unreadable {
        Unreadable::Method => plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST are understood here"),
        Unreadable::TooLarge => plain(StatusCode::PAYLOAD_TOO_LARGE, "too large: at most 2 MiB are taken"),
        Unreadable::Malformed => plain(StatusCode::BAD_REQUEST, "this is no form as it says it is"),
    }
}

/// The live events of one listener, until he leaves or the server stops.
fn stream(app: &Arc<App>, hearer: Hearer, mut stopped: watch::Receiver<bool>) -> Reply {
    let Some((seat, mut happenings)) = app.hub.listen(hearer.account) else {
        return plain(StatusCode::TOO_MANY_REQUESTS, "too many live pages are open");
    };
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Event, Infallible>>(STREAM_BACKLOG);
    let hello = live::hello(app.store.version(), app.now_ms());
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let _seat = seat;
        if sender.send(Ok(Event::default().data(hello))).await.is_err() {
            return;
        }
        loop {
            let heard = tokio::select! {
                heard = happenings.recv() => heard,
                () = sender.closed() => return,
                _ = stopped.wait_for(|stop| *stop) => return,
            };
            if let Ok(live::Sent { ends_sessions: true, .. }) = &heard
                && !is_still_in(&app, hearer).await
            {
                return;
            }
            let text = match heard {
                Ok(live::Sent { audience, text, .. }) if audience.includes(hearer) => text,
                Ok(_) => continue,
                // Too slow for what happened: it asks for everything when it hears a number it does not know.
                Err(RecvError::Lagged(_)) => live::hello(app.store.version(), app.now_ms()),
                Err(RecvError::Closed) => return,
            };
            if sender.send(Ok(Event::default().data(text))).await.is_err() {
                return;
            }
        }
    });
    let events = Sse::new(ReceiverStream::new(receiver));
    let mut reply = events.keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    // nginx would hold events back to send several at once.
    reply.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    reply
}

/// Whether the session that a stream was opened with is good. When the disk fails to say so it is not.
async fn is_still_in(app: &Arc<App>, hearer: Hearer) -> bool {
    let app = Arc::clone(app);
    let look = move || app.store.session(&hearer.session, app.now_ms());
    matches!(tokio::task::spawn_blocking(look).await, Ok(Ok(Some(_))))
}

/// Where a connection comes from.
#[derive(Clone, Copy, Debug)]
struct Caller(IpAddr);

impl axum::extract::connect_info::Connected<axum::serve::IncomingStream<'_, Doorkeeper>> for Caller {
    fn connect_info(stream: axum::serve::IncomingStream<'_, Doorkeeper>) -> Self {
        // An IPv4 caller of an IPv6 socket is the same caller.
        Self(stream.remote_addr().ip().to_canonical())
    }
}

/// Lets so many in at once; others wait outside, where they cost nothing.
struct Doorkeeper {
    listener: TcpListener,
    seats: Arc<Semaphore>,
}

impl Listener for Doorkeeper {
    type Io = Seated;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            // The semaphore is never closed.
            let Ok(seat) = Arc::clone(&self.seats).acquire_owned().await else { continue };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Small events are to go out at once.
                    let _ = stream.set_nodelay(true);
                    return (Seated { stream, _seat: seat }, address);
                }
                // Out of descriptors, or the caller went away: others may have more luck soon.
                Err(_) => tokio::time::sleep(LOOK).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A connection that has a seat.
struct Seated {
    stream: TcpStream,
    _seat: OwnedSemaphorePermit,
}

mod seated {
    //! Reading and writing as the connection itself does.

    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

    use super::Seated;

    impl AsyncRead for Seated {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            Pin::new(&mut self.stream).poll_read(context, buffer)
        }
    }

    impl AsyncWrite for Seated {
        fn poll_write(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            Pin::new(&mut self.stream).poll_write(context, bytes)
        }

        fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            Pin::new(&mut self.stream).poll_flush(context)
        }

        fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            Pin::new(&mut self.stream).poll_shutdown(context)
        }

        fn poll_write_vectored(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            parts: &[io::IoSlice<'_>],
        ) -> Poll<io::Result<usize>> {
            Pin::new(&mut self.stream).poll_write_vectored(context, parts)
        }

        fn is_write_vectored(&self) -> bool {
            self.stream.is_write_vectored()
        }
    }
}
