@PACKAGE@
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Calls the solution for each request on descriptor 3 and sends each result on descriptor 4. */
public final class @DRIVER@ {
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 16];
    private int at, end;
    private StringBuilder reply = new StringBuilder();

    private @DRIVER@() throws Exception {
        in = new FileInputStream(descriptor(3));
        out = new FileOutputStream(descriptor(4));
    }

    public static void main(String[] args) throws Exception {
        // On the stack that -Xss gives to the thread of main.
        new @DRIVER@().run();
    }

    /** Java has no public way to open a descriptor that it was born with. */
    private static FileDescriptor descriptor(int number) throws Exception {
        try {
            Constructor<FileDescriptor> make = FileDescriptor.class.getDeclaredConstructor(int.class);
            make.setAccessible(true);
            return make.newInstance(number);
        } catch (RuntimeException closed) {
            // It takes --add-opens=java.base/java.io=ALL-UNNAMED, which costs a sixth of the start. This takes
            // --sun-misc-unsafe-memory-access=allow from Java 24 on, and costs nothing.
            Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
            Field instance = unsafeClass.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object unsafe = instance.get(null);
            FileDescriptor descriptor = new FileDescriptor();
            Object offset = unsafeClass.getMethod("objectFieldOffset", Field.class)
                    .invoke(unsafe, FileDescriptor.class.getDeclaredField("fd"));
            unsafeClass.getMethod("putInt", Object.class, long.class, int.class)
                    .invoke(unsafe, descriptor, offset, number);
            return descriptor;
        }
    }

    private void run() {
        int status = 1;
        try {
            status = serve();
            System.out.flush();
            System.err.flush();
        } finally {
            // Whatever the solution did to the streams that reporting needs, the process ends.
            Runtime.getRuntime().halt(status);
        }
    }

    private int serve() {
        try {
            while (begin()) {
                call();
                send();
            }
            return 0;
        } catch (Throwable thrown) {
            hideDriver(thrown);
            System.err.print("Exception in thread \"main\" ");
            thrown.printStackTrace();
            return 1;
        }
    }

    private void call() throws Throwable {
@CALL@
    }

    /** Takes our own frames off the end of the stacks. */
    private static void hideDriver(Throwable thrown) {
        for (Throwable one = thrown; one != null; one = one.getCause()) {
            List<StackTraceElement> kept = new ArrayList<>();
            for (StackTraceElement frame : one.getStackTrace()) {
                if (frame.getClassName().equals(@DRIVER@.class.getName())) break;
                kept.add(frame);
            }
            one.setStackTrace(kept.toArray(new StackTraceElement[0]));
        }
    }

    /** The next byte of the requests, or -1 at their end. */
    private int next() throws IOException {
        if (at == end) {
            int got = in.read(buffer, 0, buffer.length);
            if (got <= 0) return -1;
            at = 0;
            end = got;
        }
        return buffer[at++];
    }

    private boolean begin() throws IOException {
        reply.setLength(0);
        for (int one = next(); one != '\n'; one = next()) {
            if (one < 0) return false;
            reply.append((char) one);
        }
        reply.append(' ');
        return true;
    }

    private long integer() throws IOException {
        int one = next();
        boolean negative = one == '-';
        if (negative) one = next();
        long value = 0;
        for (; one >= '0' && one <= '9'; one = next()) value = value * 10 - (one - '0');
        return negative ? value : -value;
    }

    private int[] ints() throws IOException {
        int[] values = new int[(int) integer()];
        for (int i = 0; i < values.length; i++) values[i] = (int) integer();
        return values;
    }

    private long[] longs() throws IOException {
        long[] values = new long[(int) integer()];
        for (int i = 0; i < values.length; i++) values[i] = integer();
        return values;
    }

    @KEEP@

    private void send() throws IOException {
        reply.append('\n');
        out.write(reply.toString().getBytes(StandardCharsets.UTF_8));
    }
}
