import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/**
 * A mongo-java-server in memory on a free port of the loopback interface.
 * Prints its connection string as the first line and ends when its standard input does,
 * so it never outlives the process that started it.
 */
public class Main {
  /** The driver asks for wire version 9 at least; 21 is that of MongoDB 7.0. */
  enum Seven implements MongoVersion {
    V7_0;

    @Override
    public List<Integer> getVersionArray() {
      return List.of(7, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 21;
    }
  }

  public static void main(String[] args) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend().version(Seven.V7_0));
    server.bind("127.0.0.1", 0);
    System.out.println(server.getConnectionString());
    while (System.in.read() != -1) {
      // whatever is written to us is of no interest, only the end of it
    }
    server.shutdownNow();
    System.exit(0);
  }
}
